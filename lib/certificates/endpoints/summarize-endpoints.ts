import type { EndpointStatus } from "@/lib/certificates/endpoint-statuses";
import { pool } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";

/** Maximum number of tags, and of owners, to offer for selection. */
const MAX_OFFERED = 500;

/** A summary of all the organization's endpoints. */
interface EndpointsSummary {
  total: number;
  byStatus: ReadonlyMap<EndpointStatus, number>;
  /** Ordered by name. */
  tags: string[];
  /** Ordered by name. */
  owners: string[];
}

/** Counts the organization's endpoints by status, and lists their tags and owners. */
export async function summarizeEndpoints({ organizationId }: Principal): Promise<EndpointsSummary> {
  const [counts, tags, owners] = await Promise.all([
    pool("report").query<{ status: EndpointStatus; count: number }>(
      "SELECT status, count(*)::integer AS count FROM certificate_endpoints WHERE organization_id = $1 GROUP BY status",
      [organizationId],
    ),
    pool("report").query<{ tag: string }>(
      `SELECT DISTINCT unnest(tags) AS tag FROM certificate_endpoints WHERE organization_id = $1 AND tags <> '{}'
       ORDER BY tag LIMIT ${MAX_OFFERED}`,
      [organizationId],
    ),
    pool("report").query<{ owner: string }>(
      `SELECT DISTINCT owner FROM certificate_endpoints WHERE organization_id = $1 AND owner <> ''
       ORDER BY owner LIMIT ${MAX_OFFERED}`,
      [organizationId],
    ),
  ]);
  return {
    total: counts.rows.reduce((total, { count }) => total + count, 0),
    byStatus: new Map(counts.rows.map(({ status, count }) => [status, count])),
    tags: tags.rows.map(({ tag }) => tag),
    owners: owners.rows.map(({ owner }) => owner),
  };
}
