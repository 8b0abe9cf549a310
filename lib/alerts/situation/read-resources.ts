import type { AlertState } from "@/lib/alerts/alert-state";
import type { Transaction } from "@/lib/db/app";

/** The details of an alert's subject in a message, besides its name. */
export interface Resource {
  tags: readonly string[];
  /** When the certificate expires that the alert is about. */
  notAfter: Date | null;
  /** Whether an endpoint's certificate is renewed by hand. */
  isRenewedByHand: boolean;
}

/** The details of the alerts' subjects, by alert id. A deleted subject has none. */
export async function readResources(
  tx: Transaction,
  organizationId: string,
  alerts: readonly Pick<AlertState, "id" | "subject" | "certificateId">[],
): Promise<Map<string, Resource>> {
  if (alerts.length === 0) return new Map();
  const idsOf = (type: AlertState["subject"]["type"]) =>
    alerts.flatMap(({ subject }) => (subject.type === type ? [subject.id] : []));
  const certificateIds = alerts.flatMap(({ certificateId }) => certificateId ?? []);
  const rows = await tx.$queryRaw<{ id: string; tags: string[]; notAfter: Date | null; byHand: boolean }[]>`
    SELECT id, tags, NULL::timestamptz AS "notAfter", renewal_method IS NOT DISTINCT FROM 'manual' AS "byHand" FROM certificate_endpoints
    WHERE organization_id = ${organizationId}::uuid AND id = ANY(${idsOf("endpoint")}::uuid[])
    UNION ALL
    SELECT id, tags, NULL, false FROM uptime_monitors
    WHERE organization_id = ${organizationId}::uuid AND id = ANY(${idsOf("monitor")}::uuid[])
    UNION ALL
    SELECT id, '{}', not_after, false FROM certificates
    WHERE organization_id = ${organizationId}::uuid AND id = ANY(${certificateIds}::uuid[])
    UNION ALL
    SELECT id, '{}', not_after, false FROM issuances
    WHERE organization_id = ${organizationId}::uuid AND id = ANY(${idsOf("issuance")}::uuid[])`;
  const found = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    alerts.map(({ id, subject, certificateId }) => {
      const certificate = found.get(certificateId ?? "");
      const own = found.get(subject.id);
      const notAfter = certificate?.notAfter ?? own?.notAfter ?? null;
      return [id, { tags: own?.tags ?? [], notAfter, isRenewedByHand: own?.byHand ?? false }];
    }),
  );
}
