/** Pure. What is wrong with a --database-url, in a sentence; null when the local Hyperdrive can use it. */

export function databaseUrlProblem(text: string): string | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return "--database-url is not a URL: give postgres://user:password@host:port/database.";
  }
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:")
    return `--database-url begins with ${url.protocol}//, not postgres://: only Postgres will do.`;
  if (url.hostname === "")
    return "--database-url names no host: the local Hyperdrive connects over TCP, so give postgres://user:password@host:port/database.";
  if (url.username === "") return "--database-url names no user: give postgres://user:password@host:port/database.";
  if (url.password === "")
    return "--database-url has no password: the local Hyperdrive needs one, even where Postgres trusts the connection (any will do then).";
  if (url.pathname.length <= 1) return "--database-url names no database: give postgres://user:password@host:port/database.";
  return null;
}

/** Pure. For messages: with the password taken out. */
export function withoutPassword(text: string): string {
  const url = new URL(text);
  if (url.password !== "") url.password = "***";
  return url.href;
}
