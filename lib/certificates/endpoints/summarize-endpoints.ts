import type { EndpointStatus } from "@/lib/certificates/contract";
import { pool } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";

/** The most tags to offer for selection. */
const MAX_TAGS = 500;

/** A summary of all the organization's endpoints. */
interface EndpointsSummary {
  total: number;
  byStatus: ReadonlyMap<EndpointStatus, number>;
  /** Ordered by name. */
  tags: string[];
}

/** Counts the organization's endpoints by status, and lists their tags. */
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
