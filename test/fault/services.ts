/** What the fault tests run against: a database of their own, and the proxy before it. For vitest.config.ts: in a globalSetup Vite would give `postgres` for workerd. */
import { startFaultProxy } from "../support/fault-proxy.ts";
import { testDatabases } from "../support/postgres.ts";

/** For the project's `test.provide`. Nothing here keeps the process alive. */
export async function faultServices(): Promise<{ readonly faultControlUrl: string; readonly faultDatabaseUrl: string }> {
  const databases = await testDatabases();
  const faultDatabaseUrl = await databases.createDatabase("fault");
  const proxy = await startFaultProxy(Number(new URL(faultDatabaseUrl).port));
  return { faultControlUrl: proxy.controlUrl, faultDatabaseUrl };
}
