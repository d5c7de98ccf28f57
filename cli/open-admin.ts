/** The admin API of the instance that the options name, ready to be asked. */
import { adminClient, type AdminClient } from "./admin-client.ts";
import { findInstance, type InstanceFlags } from "./instance.ts";
import { operatorNameIn } from "./operator-name.ts";

export function openAdmin(flags: InstanceFlags): AdminClient {
  const { url, adminToken } = findInstance(flags);
  if (adminToken === null)
    throw new Error("ADMIN_TOKEN is not set, so the admin API of the instance is off: set it in .dev.vars (or as a secret), then restart.");
  return adminClient(url, adminToken, operatorNameIn(process.env));
}
