import type { RecordedFields } from "@/lib/audit-logs/write/changes";
import type * as contract from "@/lib/certificates/agents/agent-contract";
import { db } from "@/lib/db/app";
import type { CertificateAgent as Row } from "@/lib/db/generated/app/client";
import { notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** An agent's row with the number of endpoints that it checks. */
type AgentRow = Row & { _count: { endpoints: number } };

/** The relations of `AgentRow`, for Prisma. */
export const agentRelations = { _count: { select: { endpoints: true } } } as const;

/** An agent as the contract shows it. */
export function toAgent(row: AgentRow): contract.Agent {
  return {
    id: row.id,
    name: row.name,
    api_key_id: row.apiKeyId,
    version: row.version,
    enrolled_at: row.enrolledAt?.toISOString() ?? null,
    last_seen_at: row.lastSeenAt?.toISOString() ?? null,
    silent_since: row.silentSince?.toISOString() ?? null,
    last_sequence: row.lastSequence,
    endpoint_count: row._count.endpoints,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** The fields of an agent whose changes are recorded. */
export function recordedAgent({ name, apiKeyId, publicKey }: Omit<Row, "organizationId">): RecordedFields {
  return {
    name,
    api_key_id: apiKeyId,
    public_key: publicKey === null ? null : Buffer.from(publicKey).toString("base64"),
  };
}

/** An agent that the caller may act for: an agent's key acts only for that agent. Throws 404. */
export async function readAgent({ organizationId, actor }: Principal, id: string): Promise<AgentRow> {
  const row = await db().certificateAgent.findUnique({
    where: { organizationId_id: { organizationId, id } },
    include: agentRelations,
  });
  if (row === null) throw notFound();
  if (actor.type !== "api_key" || actor.id === row.apiKeyId) return row;
  const others = await db().certificateAgent.count({ where: { organizationId, apiKeyId: actor.id } });
  if (others > 0) throw notFound();
  return row;
}
