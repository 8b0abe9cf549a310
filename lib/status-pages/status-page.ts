import { randomBytes } from "node:crypto";
import type { RecordedFields } from "@/lib/audit-logs/write/changes";
import { config } from "@/lib/config";
import { db, type Transaction } from "@/lib/db/app";
import type { StatusPage as Row } from "@/lib/db/generated/app/client";
import { invalid, notFound } from "@/lib/http/errors";
import type { StatusPage, StatusSite } from "@/lib/status-pages/contract";
import { repeatedSlug } from "@/lib/status-pages/site-slugs";

/** 32 characters, so that each has 5 bits. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const SLUG_LENGTH = 20;

/** The sites of a row, as stored. */
export function sitesOf({ sites }: Pick<Row, "sites">): StatusSite[] {
  return sites as StatusSite[];
}

/** A status page as the contract shows it. */
export function toStatusPage(row: Row): StatusPage {
  return {
    id: row.id,
    slug: row.slug,
    address: new URL(`/status/${row.slug}`, config().PUBLIC_URL).href,
    title: row.title,
    published: row.published,
    sites: sitesOf(row),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** The fields of a status page whose changes are recorded. */
export function recordedPage({ title, slug, published, sites }: StatusPage): RecordedFields {
  return { title, slug, published, sites };
}

/** A slug that nobody can guess: 100 random bits. */
export function randomSlug(): string {
  return [...randomBytes(SLUG_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

/** One status page of the organization. Throws 404. */
export async function readStatusPage(
  organizationId: string,
  id: string,
  tx: Pick<Transaction, "statusPage"> = db(),
): Promise<Row> {
  const row = await tx.statusPage.findUnique({ where: { organizationId_id: { organizationId, id } } });
  if (row === null) throw notFound();
  return row;
}

/** Throws 400 if two sites have the same slug, or a site shows what the organization does not have, except what `former` sites showed. */
export async function assertSites(
  tx: Transaction,
  organizationId: string,
  sites: readonly StatusSite[],
  former: readonly StatusSite[] = [],
) {
  const repeated = repeatedSlug(sites);
  if (repeated !== -1) throw invalid(`sites.${repeated}.slug`, "is the slug of another site");
  const monitors = await tx.uptimeMonitor.findMany({
    where: { organizationId, id: { in: sites.flatMap(({ monitor_id }) => monitor_id ?? []) } },
    select: { id: true },
  });
  const endpoints = await tx.certificateEndpoint.findMany({
    where: { organizationId, id: { in: sites.flatMap(({ endpoint_id }) => endpoint_id ?? []) } },
    select: { id: true },
  });
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  const monitorIds = new Set([...idsOf(monitors), ...former.map(({ monitor_id }) => monitor_id)]);
  const endpointIds = new Set([...idsOf(endpoints), ...former.map(({ endpoint_id }) => endpoint_id)]);
  for (const [at, { monitor_id, endpoint_id }] of sites.entries()) {
    if (monitor_id !== null && !monitorIds.has(monitor_id)) {
      throw invalid(`sites.${at}.monitor_id`, "is not a monitor of this organization");
    }
    if (endpoint_id !== null && !endpointIds.has(endpoint_id)) {
      throw invalid(`sites.${at}.endpoint_id`, "is not an endpoint of this organization");
    }
  }
}

/** The error for a second one with the same slug. */
export const SAME_SLUG = "This slug is taken. Choose another one.";
