import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { anyEvent, anyFilters } from "@/e2e/audit/generate";
import { fits, isSecurity, listed, type Query } from "@/e2e/audit/model/model";
import { reader, store } from "@/e2e/audit/store";
import { bind } from "@/e2e/support/organization";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession } from "@/e2e/support/session";
import { isLong } from "@/e2e/support/tier";
import { dailyDescribe, dailyTest, longTest } from "@/e2e/support/tier-tests";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import * as contract from "@/lib/audit-logs/contract";
import { filters as parseFilters } from "@/lib/audit-logs/filters";
import { getAuditLog } from "@/lib/audit-logs/read/get";
import { listAuditLogs, listSecurityEvents } from "@/lib/audit-logs/read/list";
import { readPage } from "@/lib/audit-logs/read/pages";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { configure } from "@/lib/config";
import type { Page } from "@/lib/http/endpoint";
import { idTime, newId } from "@/lib/ids";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const SEED = 20_261_121;
const RUNS = isLong ? 300 : 30;
const MAX_PAGES = 8;

const server = sharedServer();
const start = Date.now();
const principal = reader();

type Order = "asc" | "desc";
type Fetch = (query: Query) => Promise<Page<Pick<AuditEvent, "id">>>;

const midnight = start - (start % DAY_MS);
const visible = fc.oneof(
  fc.integer({ min: start - 30 * DAY_MS + HOUR_MS, max: start - 1 }),
  fc.integer({ min: start - HOUR_MS, max: start - 1 }),
  // Many at the same instant, and at the boundaries of hours and partitions.
  fc.constantFrom(
    start - 1,
    start - 5 * HOUR_MS,
    midnight,
    midnight - 1,
    midnight - 3 * DAY_MS,
    midnight - 3 * DAY_MS - 1,
  ),
);
const hidden = fc.integer({ min: start - 30 * DAY_MS - 8 * HOUR_MS, max: start - 30 * DAY_MS - 1 });
const sample = (time: fc.Arbitrary<number>, count: number, organizationId = principal.organizationId) =>
  fc.sample(anyEvent(organizationId, 30, time), { seed: SEED, numRuns: count });

/** All events that the organization may see and that have arrived. */
const rows: AuditRow[] = sample(visible, 400);
const times = rows.map(({ id }) => idTime(id));
const newcomers = sample(fc.constant(start), 500);

/** Another event, at the current time. */
async function arrive(): Promise<void> {
  const template = newcomers.pop();
  if (template === undefined) return;
  const row = { ...template, id: newId() };
  // Added before it is stored, because it may be visible from that moment on.
  rows.push(row);
  await store([row]);
}

beforeAll(async () => {
  bind(server);
  // PostgreSQL scans small tables; large ones need their indexes, whose results must be the same.
  const { AUDIT_MAINTENANCE_DATABASE_URL: url = "" } = server.urls;
  const separator = url.includes("?") ? "&" : "?";
  configure({ AUDIT_MAINTENANCE_DATABASE_URL: `${url}${separator}options=-c%20enable_seqscan%3Doff` });
  await store(rows);
  await store(sample(hidden, 30));
  await store(sample(visible, 200, reader().organizationId));
});

const fromList: Fetch = (query) => listAuditLogs(principal, contract.listAuditLogs.query.parse(query));
const fromSecurityEvents: Fetch = (query) =>
  listSecurityEvents(principal, contract.listSecurityEvents.query.parse(query));

/** All pages from the first to the last, with `meanwhile` running during each. */
async function walk(fetch: Fetch, query: Query, meanwhile = async () => {}): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const [page] = await Promise.all([fetch({ ...query, ...(cursor && { cursor }) }), meanwhile()]);
    pages.push(page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return pages;
}

/** A page size that needs few pages. */
const atLeast = (limit: number, matches: number) =>
  String(Math.min(200, Math.max(limit, Math.ceil(matches / MAX_PAGES))));

describe(`the list against a model (seed ${SEED})`, () => {
  const property = fc.asyncProperty(
    anyFilters(times),
    fc.integer({ min: 1, max: 200 }),
    fc.constantFrom<Order>("asc", "desc"),
    fc.constantFrom("list", "security"),
    async (filters, size, order, which) => {
      const security = which === "security" && filters.security_event !== "false";
      const query = security ? { ...filters, security_event: "true" } : filters;
      const known = [...rows];
      const expected = listed(known, query, order);
      const limit = atLeast(size, expected.length);
      const fetch = security ? fromSecurityEvents : fromList;
      const pages = await walk(fetch, { ...filters, order, limit }, arrive);
      const ids = pages.flat();

      const old = new Set(known.map(({ id }) => id));
      expect(ids.filter((id) => old.has(id))).toEqual(expected);
      // New events match, are in the right place and not duplicated; after the first page of the newest they are not shown.
      const all = listed(rows, query, order);
      expect(ids).toEqual(all.filter((id) => new Set(ids).has(id)));
      if (order === "desc") for (const id of pages.slice(1).flat()) expect(old).toContain(id);
    },
  );

  test("gives the same events in the same order, page by page, while more arrive", async () => {
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
  });

  dailyTest("matches enough events to be meaningful", () => {
    const generated = fc.sample(anyFilters(times), { seed: SEED, numRuns: RUNS });
    const counts = generated.map((query) => rows.filter((row) => fits(query, row)).length);
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(RUNS / 2);
    expect(counts.filter((count) => count < rows.length).length).toBeGreaterThan(RUNS / 2);
    expect(rows.some(isSecurity)).toBe(true);
  });

  dailyTest("shows no event older than the plan's retention, not even by its id", async () => {
    for (const { id } of sample(hidden, 5)) {
      await expect(getAuditLog(principal, { id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    const [shown] = rows;
    expect((await getAuditLog(principal, { id: shown?.id ?? "" })).id).toBe(shown?.id);
  });
});

longTest("a search that ran out of time continues where it stopped, without gaps or duplicates", async () => {
  const scope = await scopeOf(principal.organizationId);
  const generated = fc.sample(fc.tuple(anyFilters(times), fc.constantFrom<Order>("asc", "desc")), {
    seed: SEED,
    numRuns: 40,
  });
  let pieces = 0;
  for (const [query, order] of generated) {
    const filters = parseFilters.parse(query);
    const expected = listed([...rows], query, order);
    const ids: string[] = [];
    let after: string | null = null;
    do {
      const limit = expected.length + 1 - ids.length;
      const found = await readPage(scope, filters, order, limit, after, { timeoutMs: 0 });
      ids.push(...found.rows.map(({ id }) => id));
      after = found.resume;
      pieces++;
    } while (after !== null);
    expect(ids).toEqual(expected);
  }
  expect(pieces).toBeGreaterThan(2 * generated.length);
});

dailyDescribe("a cursor", () => {
  const first = { limit: "1", status: "2xx,404", order: "desc" };

  test("continues with any page size", async () => {
    const cursor = (await fromList(first)).nextCursor ?? "";
    const { items } = await fromList({ ...first, limit: "7", cursor });
    expect(items.map(({ id }) => id)).toEqual(listed(rows, { status: "2xx,404" }, "desc").slice(1, 8));
  });

  test.each([
    { status: "2xx" },
    { status: "404,2xx" },
    { order: "asc" },
    { method: "GET" },
    { since: new Date(start - DAY_MS).toISOString() },
  ])("is refused with %j instead", async (other) => {
    const cursor = (await fromList(first)).nextCursor ?? "";
    const failure = { code: "INVALID_REQUEST", details: { issues: [{ path: "cursor" }] } };
    await expect(fromList({ ...first, ...other, cursor })).rejects.toMatchObject(failure);
  });
});

dailyDescribe("over HTTP", () => {
  test("the same filters, pages and cursors", async () => {
    const { api, organizationId } = await newSession(server);
    const own = sample(visible, 150, organizationId);
    await store(own);
    const until = new Date(start).toISOString();
    const overHttp =
      (path: string): Fetch =>
      async (query) => {
        const answer = await api.get<AuditEvent[]>(`${path}?${new URLSearchParams(query)}`);
        return { items: answer.data, nextCursor: answer.pagination.next_cursor };
      };
    const generated = fc.sample(fc.tuple(anyFilters(times), fc.constantFrom<Order>("asc", "desc")), {
      seed: SEED,
      numRuns: 30,
    });
    for (const [filters, order] of generated) {
      const query = { ...filters, until };
      if ((filters.since ?? "") >= until) continue;
      const expected = listed(own, query, order);
      const limit = atLeast(5, expected.length);
      expect((await walk(overHttp("/audit-logs"), { ...query, order, limit })).flat()).toEqual(expected);
    }
    const secure = { security_event: "true", until };
    const security = await walk(overHttp("/audit-logs/security-events"), { ...secure, limit: "20" });
    expect(security.flat()).toEqual(listed(own, secure, "desc"));

    const searched = await walk(overHttp("/audit-logs"), { limit: "200", until, q: "curl" });
    expect(searched.flat()).toEqual(listed(own, { until, q: "curl" }, "desc"));
    const cursor = (await overHttp("/audit-logs")({ limit: "1" })).nextCursor ?? "";
    const refused = await api.get(`/audit-logs?limit=1&method=GET&cursor=${cursor}`);
    expect([refused.status, refused.error.issues?.[0]?.path]).toEqual([400, "cursor"]);
  });
});
