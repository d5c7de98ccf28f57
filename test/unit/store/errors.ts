/** Errors as the libraries make them. */
import { DrizzleQueryError } from "drizzle-orm/errors";
import postgres from "postgres";

export function fromPostgres(sqlstate: string, message = "as the server said", fields: object = {}): Error {
  const error: Error = Reflect.construct(postgres.PostgresError, [{ message, code: sqlstate, severity: "ERROR", ...fields }]);
  return error;
}

export const SECRET = "4242 4242 4242 4242";
export const STATEMENT = "insert into orders (card) values ($1)";

export const drizzled = (cause: Error): Error => new DrizzleQueryError(STATEMENT, [SECRET], cause);
