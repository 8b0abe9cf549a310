import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";

/** Logs a reason why checkpoints are not signed, once in this process for each log; without one, of the whole installation. */
export function warnOnce(reason: string, organizationId: string | null = null): void {
  const warned = processSingleton("audit-logs.sign.warned", () => new Set<string>());
  const name = `${organizationId} ${reason}`;
  const of = organizationId === null ? {} : { organization_id: organizationId };
  if (!warned.has(name)) log.error({ ...of, reason }, "checkpoints of the sealed log are not signed");
  warned.add(name);
}
