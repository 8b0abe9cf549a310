import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { anyEvent } from "@/e2e/audit/generate";
import { store } from "@/e2e/audit/store";
import { clearOfBoundary } from "@/e2e/support/boundaries";
import { type Key, newOrganization, type Organization } from "@/e2e/support/organization";
import { sharedServer } from "@/e2e/support/servers/shared";
import { previewWhitelist } from "@/lib/api-keys/preview-whitelist";
import { requestsByDay } from "@/lib/api-keys/requests-by-day";
import { getApiKeyUsage } from "@/lib/api-keys/usage";
import type { ApiKeyUsage, WhitelistPreview } from "@/lib/api-keys/usage-contract";
import { refusalFlags } from "@/lib/api-keys/usage-contract";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { foldDeltas } from "@/lib/audit-logs/count/fold-deltas";
import { listAuditLogs } from "@/lib/audit-logs/read/list";
import { groupLimits } from "@/lib/http/groups";
import { systemPrincipal } from "@/lib/http/principal";
import { idTime } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

const SEED = 20_261_125;
const server = sharedServer();
await clearOfBoundary(DAY_MS, 300_000);
const now = Date.now();
const today = now - (now % DAY_MS);

const time = (row: AuditRow) => new Date(idTime(row.id)).toISOString();

/** Counts event by event: most requests first, then by the bytes of the shared value. */
function group<Known>(rows: readonly AuditRow[], of: (row: AuditRow) => [string, Known] | null) {
  const groups = new Map<string, { known: Known; rows: AuditRow[] }>();
  for (const row of rows) {
    const part = of(row);
    if (part === null) continue;
    const [key, known] = part;
    groups.set(key, { known, rows: [...(groups.get(key)?.rows ?? []), row] });
  }
  return [...groups]
    .sort(([a, { rows: x }], [b, { rows: y }]) => y.length - x.length || (a < b ? -1 : 1))
    .map(([, { known, rows: all }]) => ({ known, rows: all.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }));
}

function seen(rows: readonly AuditRow[]) {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) throw new Error("a group without events");
  return { requests: rows.length, first_seen_at: time(first), last_seen_at: time(last) };
}

const inClass = (rows: readonly AuditRow[], digit: number) =>
  rows.filter(({ status_code }) => status_code !== null && Math.floor(status_code / 100) === digit).length;

/** A key's usage, counted event by event, without the data of the origins table. */
function model(id: string, rows: readonly AuditRow[], since: number, hints: Map<string, string | null>) {
  const own = rows.filter((row) => row.api_key_id === id && idTime(row.id) >= since);
  const isRotated = ({ flags }: AuditRow) => flags.includes("rotated_secret");
  const days = Array.from({ length: (today - since) / DAY_MS + 1 }, (_, n) => since + n * DAY_MS);
  const byAddress = (some: readonly AuditRow[]) =>
    group(some, ({ ip_address, country }) => [ip_address ?? "", { ip_address, country }]);
  return {
    api_key_id: id,
    since: new Date(since).toISOString(),
    requests: own.length,
    series: days.map((day) => {
      const part = own.filter((row) => idTime(row.id) >= day && idTime(row.id) < day + DAY_MS);
      const classes = [2, 3, 4, 5].map((digit) => [`status_${digit}xx`, inClass(part, digit)]);
      return { start: new Date(day).toISOString(), requests: part.length, ...Object.fromEntries(classes) };
    }),
    routes: group(own, ({ method, route }) => [`${method} ${route}`, { method, route }]).map(({ known, rows }) => ({
      ...known,
      requests: rows.length,
      errors: rows.filter(({ status_code }) => (status_code ?? 0) >= 400).length,
    })),
    address_count: byAddress(own).length,
    addresses: byAddress(own).map(({ known, rows }) => ({ ...known, ...seen(rows) })),
    country_count: group(own, ({ country }) => (country === null ? null : [country, country])).length,
    countries: group(own, ({ country }) => (country === null ? null : [country, country])).map(({ known, rows }) => ({
      country: known,
      ...seen(rows),
    })),
    refusals: group(
      own.flatMap((row) => row.flags.map((flag) => ({ ...row, flags: [flag] }))),
      ({ flags: [flag] }) => (refusalFlags.some((each) => each === flag) ? [String(flag), flag] : null),
    ).map(({ known, rows }) => ({ flag: known, requests: rows.length })),
    rotated_secrets: group(own.filter(isRotated), ({ api_key_hint }) => [api_key_hint ?? "", api_key_hint ?? ""])
      .map(({ known: hint, rows }) => ({
        hint,
        retired_at: hints.get(hint) ?? null,
        ...seen(rows),
        sources: byAddress(rows).map(({ known, rows: there }) => ({
          ...known,
          ...seen(there),
          user_agent: there.at(-1)?.user_agent,
        })),
      }))
      .sort((a, b) => (a.last_seen_at < b.last_seen_at ? 1 : -1)),
  };
}

/** The usage without the fields that the model does not have. */
function comparable({ until, rate_limits, addresses, countries, ...rest }: ApiKeyUsage) {
  return {
    ...rest,
    addresses: addresses.map(({ known_since, ...each }) => each),
    countries: countries.map(({ known_since, ...each }) => each),
  };
}

describe(`the usage of a key against a model (seed ${SEED})`, () => {
  let organization: Organization;
  let keys: Key[];
  const rows: AuditRow[] = [];

  beforeAll(async () => {
    organization = await newOrganization(server);
    keys = [await organization.newKey(), await organization.newKey()];
    const at = fc.oneof(
      // Events of a day that no usage counts, and that is not yet dropped.
      fc.integer({ min: today - 30 * DAY_MS, max: now - 1 }),
      fc.integer({ min: today, max: now - 1 }),
      fc.constantFrom(today, today - 1, today - 29 * DAY_MS, today - 29 * DAY_MS - 1, today - 6 * DAY_MS),
    );
    const sample = fc.sample(anyEvent(organization.id, 30, at), { seed: SEED, numRuns: 900 });
    const countries = ["DE", "FR", null];
    for (const [n, row] of sample.entries()) {
      const api_key_id = n % 5 === 4 ? null : (keys[n % 2]?.id ?? null);
      const country = countries[(row.ip_address?.length ?? 2) % 3] ?? null;
      rows.push({ ...row, api_key_id, country, api_key_hint: `sw_${n % 3}…${n % 3}` });
    }
    await store(rows.slice(0, 500));
    await foldDeltas();
    await store(rows.slice(500));
  });

  test.each([1, 2, 7, 30])("counts the events of %i days", async (days) => {
    const since = today - (days - 1) * DAY_MS;
    for (const { id } of keys) {
      const usage = await getApiKeyUsage(systemPrincipal(organization.id), { id, days });
      expect(comparable(usage)).toEqual(model(id, rows, since, new Map()));
    }
  });

  test("equals the list's daily counts of several keys", async () => {
    const principal = systemPrincipal(organization.id);
    const unused = await organization.newKey();
    const ids = keys.map(({ id }) => id);
    const { since, byKey } = await requestsByDay(principal, [...ids, unused.id]);
    expect(since).toBe(today - 29 * DAY_MS);
    expect([...byKey.keys()].sort()).toEqual([...ids].sort());
    for (const id of ids) {
      const { series } = await getApiKeyUsage(principal, { id, days: 30 });
      expect(byKey.get(id)).toEqual(series.map(({ requests }) => requests));
    }
    const [first = ""] = ids;
    expect([...(await requestsByDay(principal, [first])).byKey.keys()]).toEqual([first]);
  });

  test("begins at the plan's retention", async () => {
    const [{ id } = { id: "" }] = keys;
    const usage = await getApiKeyUsage(systemPrincipal(organization.id), { id, days: 90 });
    expect(comparable(usage)).toEqual(model(id, rows, today - 29 * DAY_MS, new Map()));
  });

  test("equals the length of the list with the same filters", async () => {
    for (const { id } of keys) {
      const usage = await getApiKeyUsage(systemPrincipal(organization.id), { id, days: 30 });
      let listed = 0;
      let cursor: string | undefined;
      do {
        const page: Awaited<ReturnType<typeof listAuditLogs>> = await listAuditLogs(systemPrincipal(organization.id), {
          ...{ limit: 200, cursor, order: "desc", since: Date.parse(usage.since) },
          api_key_id: { include: [id], exclude: [] },
        });
        listed += page.items.length;
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(usage.requests).toBe(listed);
    }
  });

  test("a preview counts every address that would be refused, but not those of old secrets", async () => {
    const principal = systemPrincipal(organization.id);
    for (const ip_whitelist of [["10.0.0.0/8", "2001:db8::/32"], ["192.0.2.255"], ["::/0", "0.0.0.0/0"], []]) {
      for (const { id } of keys) {
        const preview = await previewWhitelist(principal, { id, ip_whitelist });
        const own = rows.filter(
          (row) =>
            row.api_key_id === id && idTime(row.id) >= today - 29 * DAY_MS && !row.flags.includes("rotated_secret"),
        );
        const isRefused = (address: string | null) => {
          if (ip_whitelist.length === 0) return false;
          if (address === null) return true;
          if (ip_whitelist.includes("::/0")) return false;
          return ip_whitelist.length === 1
            ? address !== "192.0.2.255"
            : !address.startsWith("10.") && !address.startsWith("2001:db8:");
        };
        const groups = group(own, ({ ip_address, country }) => [ip_address ?? "", { ip_address, country }]);
        const refused = groups.filter(({ known }) => isRefused(known.ip_address));
        expect(preview).toEqual({
          since: new Date(today - 29 * DAY_MS).toISOString(),
          addresses_seen: groups.length,
          refused_addresses: refused.length,
          refused_requests: refused.reduce((sum, { rows }) => sum + rows.length, 0),
          refused: refused.map(({ known, rows }) => ({
            ...known,
            requests: rows.length,
            last_seen_at: seen(rows).last_seen_at,
            refused_already: false,
          })),
        });
      }
    }
  });
});

describe("through the API", () => {
  const from = (address: string) => ({ headers: { "x-forwarded-for": address } });

  test("the usage shows the sources of an old secret, the use of the limits, and since when an origin is known", async () => {
    const { admin, newKey } = await newOrganization(server);
    const key = await newKey({ permission: "admin" });
    for (let n = 0; n < 3; n++) await key.api.get("/certificates", from("8.8.8.8"));
    await key.api.get("/audit-logs", from("8.8.8.8"));
    const rotated = await admin.post<{ rotated_at: string }>(`/api-keys/${key.id}/rotate`);
    const refused = [];
    for (let n = 0; n < 2; n++) {
      const headers = { "x-forwarded-for": "192.0.2.1", "user-agent": "forgotten/1.0" };
      refused.push(await key.api.get("/certificates", { headers }));
    }
    expect(refused.map(({ status }) => status)).toEqual([401, 401]);
    const { data } = await admin.get<ApiKeyUsage>(`/api-keys/${key.id}/usage?days=1`);
    const { rotated_secrets, rate_limits, refusals, addresses } = data;
    const [secret] = rotated_secrets;
    expect(rotated_secrets).toHaveLength(1);
    expect(secret).toMatchObject({ hint: key.hint, requests: 2, retired_at: rotated.data.rotated_at });
    expect(secret?.sources).toMatchObject([
      { ip_address: "192.0.2.1", country: null, requests: 2, user_agent: "forgotten/1.0" },
    ]);
    expect(refusals).toEqual([{ flag: "rotated_secret", requests: 2 }]);
    expect(rate_limits).toMatchObject([
      { group: "audit_logs", limit: groupLimits.audit_logs, used: 1, share: 1 / groupLimits.audit_logs },
      { group: "certificates", limit: groupLimits.certificates, used: 3, share: 3 / groupLimits.certificates },
    ]);
    expect(
      addresses.map(({ ip_address, known_since, first_seen_at }) => [ip_address, known_since === first_seen_at]),
    ).toEqual([
      ["8.8.8.8", true],
      ["192.0.2.1", false],
    ]);
  });

  test("a preview shows the effect of the whitelist, changes nothing, and has one event", async () => {
    const { admin, newKey } = await newOrganization(server);
    const key = await newKey({ ip: ["192.0.2.0/24", "198.51.100.1"] });
    await key.api.get("/certificates", from("192.0.2.7"));
    await key.api.get("/certificates", from("192.0.2.8"));
    await key.api.get("/certificates", from("203.0.113.9"));
    const answer = await admin.post<WhitelistPreview>(`/api-keys/${key.id}/whitelist-preview`, {
      ip_whitelist: ["192.0.2.7"],
    });
    expect(answer.data).toMatchObject({
      ...{ addresses_seen: 3, refused_addresses: 2, refused_requests: 2 },
      refused: [
        { ip_address: "192.0.2.8", requests: 1, refused_already: false },
        { ip_address: "203.0.113.9", requests: 1, refused_already: true },
      ],
    });
    expect((await admin.get<{ ip_whitelist: string[] }>(`/api-keys/${key.id}`)).data.ip_whitelist).toHaveLength(2);
    const events = await admin.get<{ id: string }[]>("/audit-logs?action=api_key.preview_whitelist");
    expect(events.data.map(({ id }) => id)).toEqual([answer.requestId]);
    const wrong = await admin.post(`/api-keys/${key.id}/whitelist-preview`, { ip_whitelist: ["192.0.2.7/24"] });
    expect(wrong.error.issues?.map(({ path }) => path)).toEqual(["ip_whitelist.0"]);
  });

  test.each(["days=0", "days=91", "days=x", "since=2026-01-01T00:00:00Z"])("refuses %s", async (asked) => {
    const { read, readKey } = await newOrganization(server);
    expect((await read.get(`/api-keys/${readKey.id}/usage?${asked}`)).status).toBe(400);
  });
});
