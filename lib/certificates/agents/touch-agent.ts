import type * as contract from "@/lib/certificates/agents/agent-contract";
import { pool } from "@/lib/db/app";
import type { CertificateAgent } from "@/lib/db/generated/app/client";
import type { Input } from "@/lib/http/endpoint";

type Report = Pick<Input<typeof contract.reportAsAgent>, "sequence" | "version">;

/** Records that an agent reads its targets. After a silence they become due now, so that unreachable endpoints recover at once. */
export async function touchAgent({ organizationId, id, silentSince }: CertificateAgent): Promise<void> {
  const values = [organizationId, id];
  if (silentSince !== null) {
    const due = `WITH later AS (
        SELECT id FROM certificate_endpoints WHERE organization_id = $1 AND agent_id = $2 AND next_check_at > now()
        ORDER BY id FOR NO KEY UPDATE
      )
      UPDATE certificate_endpoints e SET next_check_at = now() FROM later WHERE e.organization_id = $1 AND e.id = later.id`;
    await pool().query(due, values);
  }
  const seen = `UPDATE certificate_agents SET last_seen_at = now(), silent_since = NULL
    WHERE organization_id = $1 AND id = $2`;
  await pool().query(seen, values);
}

/** Records a report's number. Resolves with false if this or a later number was recorded before. */
export async function recordReport(
  { organizationId, id }: CertificateAgent,
  { sequence, version }: Report,
): Promise<boolean> {
  const { rowCount } = await pool().query(
    `UPDATE certificate_agents SET last_seen_at = now(), last_sequence = $3, version = $4
     WHERE organization_id = $1 AND id = $2 AND last_sequence < $3`,
    [organizationId, id, sequence, version],
  );
  return rowCount === 1;
}
