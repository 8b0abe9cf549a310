import type pg from "pg";
import { MAX_LEADS } from "@/lib/certificates/judge/judge-lateness";
import { lifetimeLeftShare } from "@/lib/certificates/lifetime";
import type { Known } from "@/lib/certificates/record/record-endpoints";
import type { Entry } from "@/lib/certificates/record/record-results";
import { seenRenewals } from "@/lib/certificates/seen-renewals";

/** Of endpoints whose leads were never read: those of the renewals in their history, by endpoint id. */
export async function readRenewalLeads(
  client: pg.ClientBase,
  entries: readonly Entry[],
): Promise<Map<string, number[]>> {
  const unread = entries.filter(({ row, served }) => served !== null && row.renewal_leads === null);
  const wanted = unread.filter(({ row }) => row.leaf !== null).map(({ row }) => row);
  const none = unread.map(({ row }): [string, number[]] => [row.id, []]);
  if (wanted.length === 0) return new Map(none);
  const { rows } = await client.query<{ id: string; leads: number[] }>(
    `SELECT wanted.id, latest.leads FROM unnest($1::uuid[], $2::uuid[]) AS wanted (organization_id, id)
     CROSS JOIN LATERAL (
       SELECT coalesce(array_agg(share_left ORDER BY at), '{}') AS leads FROM (
         ${seenRenewals("wanted.organization_id", "endpoint_id = wanted.id")} ORDER BY at DESC LIMIT ${MAX_LEADS}
       ) AS renewals
     ) AS latest`,
    [wanted.map(({ organization_id }) => organization_id), wanted.map(({ id }) => id)],
  );
  return new Map([...none, ...rows.map(({ id, leads }): [string, number[]] => [id, leads.map(clamp)])]);
}

const clamp = (share: number) => Math.min(1, Math.max(0, share));

/**
 * The leads after a check, with another lead if it saw a renewal. A return to an earlier certificate is not a renewal.
 * Null while they were never read and no certificate is seen.
 */
export function renewalLeads({ row, served, at }: Entry, read: ReadonlyMap<string, number[]>): number[] | null {
  const before = row.renewal_leads ?? read.get(row.id) ?? null;
  const [leaf] = served?.chain ?? [];
  if (before === null || leaf === undefined || row.leaf === null || isKnown(row, leaf.sha256)) return before;
  const old = { notBefore: new Date(row.leaf.not_before), notAfter: new Date(row.leaf.not_after) };
  if (leaf.notAfter <= old.notAfter) return before;
  return [...before, lifetimeLeftShare(old, at)].slice(-MAX_LEADS);
}

function isKnown({ leaf, previous }: Known, sha256: string): boolean {
  return leaf?.sha256 === sha256 || previous?.sha256 === sha256;
}
