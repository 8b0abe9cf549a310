import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { requireSetting } from "@/lib/config";

/** Starts a server like `npm start` on the databases of this measurement. */
export function serveMeasured(env: Record<string, string> = {}): Promise<Sealwatch> {
  const names = ["DATABASE_URL", "AUDIT_DATABASE_URL", "AUDIT_MAINTENANCE_DATABASE_URL"] as const;
  return startSealwatch({ ...Object.fromEntries(names.map((name) => [name, requireSetting(name)])), ...env });
}
