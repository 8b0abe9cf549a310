import { afterAll, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";
import { provenDomain } from "@/e2e/support/stand-ins/proven-domain";
import { askedAbout, startSmallInternet } from "@/e2e/support/stand-ins/small-internet";
import { until } from "@/e2e/support/until";
import type { Domain, SourceName } from "@/lib/subdomains/domain-contract";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

// Its own server: a source is held for everybody.
const internet = await startSmallInternet();
const server = await startSealwatch({ ...internet.settings, PROBE_ALLOWED_NETWORKS: "127.0.0.0/8" });
afterAll(async () => {
  await server.destroy();
  internet.close();
});

const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().replace(/\.\d+/, "");
const logged = (name: string) => ({
  names: [name],
  issuer: "C=US, O=Let's Encrypt, CN=R11",
  not_before: day(-30),
  not_after: day(60),
});

const sourceOf = async ({ read }: Organization, { id }: Domain, name: SourceName) =>
  (await read.get<Domain>(`/subdomains/domains/${id}`)).data.sources.find((source) => source.name === name);

const searchesFor = async ({ name }: Domain) =>
  (await askedAbout(server, name)).filter((target) => target.startsWith("/v1/")).length;

test("a throttled source is asked by no organization before Retry-After, and then goes on where it was", async () => {
  const [first, second] = await Promise.all([newOrganization(server), newOrganization(server)]);
  const throttled = await provenDomain(server, first, (name) => ({
    search: {
      [name]: {
        logged: [logged(`a.${name}`), logged(`b.${name}`), logged(`c.${name}`)],
        pageSize: 1,
        throttled: { times: 1, retryAfter: 3600 },
      },
    },
  }));
  const held = await until("it was throttled", async () => {
    const source = await sourceOf(first, throttled, "ct_search");
    return source?.error === "too many requests" && source;
  });
  expect(held).toMatchObject({ state: "failing", held_until: expect.any(String) });
  expect((Date.parse(held.held_until ?? "") - Date.now()) / MINUTE_MS).toBeGreaterThan(50);
  // A run on demand does not shorten that.
  const { data } = await first.admin.post<Domain>(`/subdomains/domains/${throttled.id}/discover`);
  expect(data.sources[0]?.next_run_at).toBe(held.held_until);

  const world = (name: string) => ({ search: { [name]: { logged: [logged(`a.${name}`)] } } });
  const other = await provenDomain(server, second, world, { sources: ["ct_search", "dns"] });
  await until("its other source ended", async () => (await sourceOf(second, other, "dns"))?.state === "ok");
  const waits = { state: "never", held_until: held.held_until, next_run_at: held.held_until };
  expect(await sourceOf(second, other, "ct_search")).toMatchObject(waits);
  expect([await searchesFor(throttled), await searchesFor(other)]).toEqual([1, 0]);

  await query(server, "app", "UPDATE source_holds SET held_until = now() WHERE source = 'ct_search'");
  const past = `UPDATE domain_sources SET held_until = now(), next_run_at = now() WHERE domain_id = $1 AND source = 'ct_search'`;
  await query(server, "app", past, [throttled.id]);
  const over = { state: "ok", held_until: null, error: null };
  for (const [owner, domain, names] of [[first, throttled, 3] as const, [second, other, 1] as const]) {
    const done = await until("it went on", async () => {
      const source = await sourceOf(owner, domain, "ct_search");
      return source?.state === "ok" && source;
    });
    expect(done).toMatchObject({ ...over, names, cursor: String(names) });
    expect(Date.parse(done.next_run_at ?? "") - Date.now()).toBeGreaterThan(20 * HOUR_MS);
  }
});
