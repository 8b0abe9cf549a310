import { auditEvent } from "@/lib/audit-logs/audit-event-draft";
import { BundleRows } from "@/lib/audit-logs/bundle/bundle-rows";
import { requireCheckpoint } from "@/lib/audit-logs/bundle/proof";
import { excusedUntil } from "@/lib/audit-logs/check/excused-until";
import { Conditions } from "@/lib/audit-logs/conditions";
import { assertRange, type Filters } from "@/lib/audit-logs/filters";
import type { exportAuditLogs as contract, Format } from "@/lib/audit-logs/read/export-contract";
import { exportFile } from "@/lib/audit-logs/read/export-file";
import { copySql, csvHeader, inline } from "@/lib/audit-logs/read/export-sql";
import { rangeOf, type Scope, scopeOf } from "@/lib/audit-logs/scope/scope";
import { inClasses, where } from "@/lib/audit-logs/scope/where";
import { requireSetting } from "@/lib/config";
import { CopiedRows } from "@/lib/db/rows/copied-rows";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { beginningOf } from "@/lib/http/schemas/csv-bom";
import { idAt } from "@/lib/ids";

/**
 * Exports all current matching events: one COPY, so one snapshot, up to the id of this request. Reading starts when the client reads
 * the response, and only as fast. Throws 400, and 503 if too many exports are running.
 */
export async function exportAuditLogs(
  principal: Principal,
  { format, bom, include, epoch, ...filters }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  assertRange(filters);
  const beginning = beginningOf(format, bom);
  const event = auditEvent();
  const scope = await scopeOf(principal.organizationId);
  if (include === "seal") return exportBundle(principal, scope, format, { epoch, ...filters });
  if (epoch !== undefined) throw invalid("epoch", "can only be combined with include=seal");
  const range = rangeOf(scope, filters);
  const conditions = where(scope, filters);
  const [from, to] = [idAt(range.from), idAt(range.to)].map((id) => conditions.value(id));
  const within = `id >= ${from} AND id < ${to} AND id < ${conditions.value(event.id)}`;
  conditions.add(within);
  const bodies = new Conditions(conditions.values);
  for (const each of [...inClasses(bodies, scope), within]) bodies.add(each);
  const withBody = include === "body";
  const sql = inline(copySql(format, withBody, conditions, bodies), conditions.values);
  const header = { csv: beginning + csvHeader(withBody), json: "[\n", ndjson: "" }[format];
  const source = new CopiedRows(
    requireSetting("AUDIT_DATABASE_URL"),
    sql,
    format === "json" ? ",\n" : "",
    { csv: "\r\n", json: "", ndjson: "\n" }[format],
  );
  const answer = await exportFile(principal, { source, format, header }, "audit", (finished) => {
    Object.assign(finished, { action: "audit_log.export_finished", resource_type: "audit_log" });
  });
  event.flag("audit_exported");
  return answer;
}

/** Exports the sealed log as a bundle that can be verified. Throws 400 for filters and unknown epochs, 409 before the first checkpoint, 503. */
async function exportBundle(
  principal: Principal,
  scope: Scope,
  format: Format,
  { epoch, since, until, ...filters }: Filters & { epoch: number | undefined },
): Promise<Output<typeof contract>> {
  if (format !== "ndjson") throw invalid("include", "can only be seal with the format ndjson");
  const [filter] = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (filter !== undefined)
    throw invalid(filter, "cannot be combined with include=seal, because all events belong to the proof");
  await requireCheckpoint(scope.organizationId, epoch);
  const source = new BundleRows(scope, { epoch, since, until }, () => excusedUntil(scope.organizationId));
  const answer = await exportFile(principal, { source, format, header: "" }, "audit", (finished) => {
    Object.assign(finished, { action: "audit_log.export_finished", resource_type: "audit_log" });
  });
  auditEvent().flag("audit_exported");
  return answer;
}
