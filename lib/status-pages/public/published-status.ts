import { db } from "@/lib/db/app";
import { coalesce } from "@/lib/db/coalesce";
import type { StatusPage as Row } from "@/lib/db/generated/app/client";
import { isAway } from "@/lib/db/unavailable";
import { processSingleton } from "@/lib/process-singleton";
import { SLUG } from "@/lib/status-pages/contract";
import { type PublicStatus, readPublicStatus } from "@/lib/status-pages/public/read-public-status";

/** Seconds for which what a page shows is not read again. */
export const FRESH_S = 30;
/** Milliseconds for which it is still shown while the database is unavailable. */
const STALE_MS = 10 * 60_000;
/** Pages kept in memory. A page with 50 sites takes about 300 kB. */
const MAX_KEPT = 100;

interface Kept {
  /** The version of the page that was read. */
  updatedAt: number;
  readAt: number;
  status: Promise<PublicStatus>;
}

const kept = processSingleton("status-pages.kept", () => new Map<string, Kept>());

/** Asked for every request, so that a page that was unpublished is gone at once. Requests that arrive together share a query. */
const findPublished = processSingleton("status-pages.find-published", () =>
  coalesce(async (slugs: string[]) => {
    const rows = await db().statusPage.findMany({ where: { slug: { in: slugs }, published: true } });
    const bySlug = new Map(rows.map((row) => [row.slug, row]));
    return (slug: string): Row | null => bySlug.get(slug) ?? null;
  }),
);

/**
 * What a published page shows, at most 30 seconds old; while the database is unavailable, at most ten minutes. Null if no page with
 * this slug is published. Rejects if the database is unavailable and nothing is kept.
 */
export async function publishedStatus(slug: string): Promise<PublicStatus | null> {
  if (!SLUG.test(slug)) return null;
  const now = Date.now();
  try {
    const row = await findPublished(slug);
    if (row === null) {
      kept.delete(slug);
      return null;
    }
    return await keptStatus(row, now);
  } catch (error) {
    const last = kept.get(slug);
    if (!isAway(error) || last === undefined || now - last.readAt > STALE_MS) throw error;
    return last.status;
  }
}

async function keptStatus(row: Row, now: number): Promise<PublicStatus> {
  const last = kept.get(row.slug);
  if (last !== undefined && last.updatedAt === row.updatedAt.getTime() && now - last.readAt < FRESH_S * 1000) {
    return last.status;
  }
  const next = { updatedAt: row.updatedAt.getTime(), readAt: now, status: readPublicStatus(row) };
  keep(row.slug, next);
  try {
    return await next.status;
  } catch (error) {
    // What was read before is better than nothing.
    if (kept.get(row.slug) === next) {
      if (last === undefined) kept.delete(row.slug);
      else kept.set(row.slug, last);
    }
    throw error;
  }
}

function keep(slug: string, status: Kept): void {
  kept.delete(slug);
  kept.set(slug, status);
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) return;
    kept.delete(oldest);
  }
}
