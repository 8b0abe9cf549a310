import type { EndpointStatus } from "@/lib/certificates/contract";
import { pool } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";

/** More tags than anybody would choose from are not offered. */
const MAX_TAGS = 500;

/** What the organization's endpoints are, all of them together. */
export interface EndpointsSummary {
  total: number;
  byStatus: ReadonlyMap<EndpointStatus, number>;
  /** By name. */
  tags: string[];
}

/** Counts the organization's endpoints by status, and names their tags. */
export async function summarizeEndpoints({ organizationId }: Principal): Promise<EndpointsSummary> {
  const [counts, tags] = await Promise.all([
    pool("report").query<{ status: EndpointStatus; count: number }>(
      "SELECT status, count(*)::integer AS count FROM certificate_endpoints WHERE organization_id = $1 GROUP BY status",
      [organizationId],
    ),
    pool("report").query<{ tag: string }>(
      `SELECT DISTINCT unnest(tags) AS tag FROM certificate_endpoints WHERE organization_id = $1 AND tags <> '{}'
       ORDER BY tag LIMIT ${MAX_TAGS}`,
      [organizationId],
    ),
  ]);
  return {
    total: counts.rows.reduce((total, { count }) => total + count, 0),
    byStatus: new Map(counts.rows.map(({ status, count }) => [status, count])),
    tags: tags.rows.map(({ tag }) => tag),
  };
}
