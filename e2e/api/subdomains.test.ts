import { beforeAll, describe, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { provenDomain } from "@/e2e/support/stand-ins/proven-domain";
import { arrange, askedAbout, type World } from "@/e2e/support/stand-ins/small-internet";
import type { Logged } from "@/e2e/support/stand-ins/transparency";
import { until } from "@/e2e/support/until";
import { listAlerts } from "@/lib/alerts/list";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { plans } from "@/lib/plans";
import type { Issuance, ReviewResult, Subdomain } from "@/lib/subdomains/contract";
import { type Domain, REST_MINUTES, type SourceName } from "@/lib/subdomains/domain-contract";
import { getDomain } from "@/lib/subdomains/get-domain";
import { listSubdomains } from "@/lib/subdomains/list-subdomains";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

const server = sharedServer();
const TIMEOUT_MS = 120_000;

const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().replace(/\.\d+/, "");
const LETS_ENCRYPT = "C=US, O=Let's Encrypt, CN=R11";
const STRANGER = "C=XX, O=Unheard Of, CN=Unheard Of CA 1";
const logged = (names: string[], more: Partial<Logged> = {}): Logged => ({
  names,
  issuer: LETS_ENCRYPT,
  not_before: day(-30),
  not_after: day(60),
  ...more,
});

const prove = (own: Organization, world: (name: string) => World, body: object = {}) =>
  provenDomain(server, own, world, body);

const domainOf = ({ id: organizationId }: Organization, { id }: { id: string }) =>
  getDomain(systemPrincipal(organizationId), { id });

const sourceOf = async (organization: Organization, domain: Domain, name: SourceName) =>
  (await domainOf(organization, domain)).sources.find((source) => source.name === name);

/** Waits until every source has finished a run, and none is due. */
async function discovered(organization: Organization, domain: Domain): Promise<Domain> {
  return until(
    "every source ended its run",
    async () => {
      const now = await domainOf(organization, domain);
      const isOver = now.sources.every(
        ({ state, next_run_at }) => /ok|failing/.test(state) && Date.parse(next_run_at ?? "") > Date.now(),
      );
      return isOver && now;
    },
    TIMEOUT_MS,
  );
}

const all = { limit: 200, cursor: undefined, state: undefined, source: undefined, wildcard: undefined };
const namesOf = async ({ id: organizationId }: Organization, { id }: Domain) => {
  const filters = { ...all, expired_only: undefined, q: undefined, domain_id: id };
  return (await listSubdomains(systemPrincipal(organizationId), filters)).items;
};

let organization: Organization;
beforeAll(async () => {
  organization = await newOrganization(server);
});

describe("discovery", () => {
  test("merges the names of its sources, marks wildcards and expired names, and shows each source's state", async () => {
    const domain = await prove(organization, (name) => ({
      search: {
        [name]: {
          logged: [
            logged([name, `www.${name}`]),
            logged([`*.app.${name}`]),
            logged([`old.${name}`], { not_before: day(-400), not_after: day(-310) }),
            logged([`OLD.${name}`], { not_before: day(-310), not_after: day(-220) }),
          ],
          pageSize: 3,
        },
      },
      publicSearch: { [name]: { logged: [logged([name, `www.${name}`]), logged([`shop.${name}`])] } },
      zones: {
        [name]: { a: ["192.0.2.1"] },
        [`www.${name}`]: { a: ["192.0.2.2"], aaaa: ["2001:db8::2"] },
        [`mail.${name}`]: { a: ["192.0.2.3"] },
      },
    }));
    const done = await discovered(organization, domain);
    const found = await namesOf(organization, domain);
    const facts = found.map(({ name, sources, wildcard, expired_only, addresses, state }) => [
      name.replace(domain.name, "@"),
      { sources: [...sources].sort(), wildcard, expired_only, addresses, state },
    ]);
    const plain = { wildcard: false, expired_only: false, addresses: [], state: "new" };
    expect(Object.fromEntries(facts)).toEqual({
      "@": { ...plain, sources: ["ct_public_search", "ct_search", "dns"], addresses: ["192.0.2.1"] },
      "www.@": {
        ...plain,
        sources: ["ct_public_search", "ct_search", "dns"],
        addresses: ["192.0.2.2", "2001:db8::2"],
      },
      "*.app.@": { ...plain, sources: ["ct_search"], wildcard: true },
      "old.@": { ...plain, sources: ["ct_search"], expired_only: true },
      "shop.@": { ...plain, sources: ["ct_public_search"] },
      "mail.@": { ...plain, sources: ["dns"], addresses: ["192.0.2.3"] },
    });
    expect(done.names).toEqual({ new: 6, monitored: 0, ignored: 0 });
    expect(
      done.sources.map(({ name, state, error, names, cursor }) => ({ name, state, error, names, cursor })),
    ).toEqual([
      { name: "ct_search", state: "ok", error: null, names: 4, cursor: "4" },
      { name: "ct_public_search", state: "ok", error: null, names: 3, cursor: null },
      { name: "dns", state: "ok", error: null, names: 3, cursor: null },
    ]);
    for (const { last_success_at, last_started_at } of done.sources) {
      expect(Date.parse(last_success_at ?? "")).toBeGreaterThanOrEqual(Date.parse(last_started_at ?? "x"));
    }
    const next = Date.parse(done.sources[0]?.next_run_at ?? "") - Date.now();
    expect(next / DAY_MS).toBeGreaterThan(0.9);
    expect(next / DAY_MS).toBeLessThan(1.1);

    const { data } = await organization.read.get<Issuance[]>(`/subdomains/issuances?domain_id=${domain.id}`);
    expect(data.map(({ names, sources }) => [names.map((each) => each.replace(domain.name, "@")), sources])).toEqual(
      expect.arrayContaining([[["@", "www.@"], expect.arrayContaining(["ct_search", "ct_public_search"])]]),
    );
    expect(data).toHaveLength(5);
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const at = cursor === undefined ? "" : `&cursor=${cursor}`;
      const path = `/subdomains/issuances?domain_id=${domain.id}&limit=2${at}`;
      const page = await organization.read.get<Issuance[]>(path);
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.pagination.next_cursor;
    }
    expect(ids).toEqual(data.map(({ id }) => id));
  });

  test("shows why a source fails, while the others continue", async () => {
    const domain = await prove(organization, (name) => ({
      search: { [name]: { raw: { status: 200, body: "<h1>Maintenance</h1>" } } },
      publicSearch: { [name]: { raw: { status: 502, body: "Bad Gateway" } } },
      zones: { [`www.${name}`]: { a: ["192.0.2.4"] } },
    }));
    const done = await discovered(organization, domain);
    expect(done.sources.map(({ state, error, last_success_at }) => [state, error, last_success_at === null])).toEqual([
      ["failing", "the response is not JSON: Maintenance", true],
      ["failing", "HTTP status 502: Bad Gateway", true],
      ["ok", null, false],
    ]);
    expect((await namesOf(organization, domain)).map(({ name }) => name)).toEqual([`www.${domain.name}`]);
    // It is retried sooner than usual.
    const retry = Date.parse(done.sources[0]?.next_run_at ?? "") - Date.now();
    expect(retry).toBeLessThan(10 * 60_000);
  });

  test("asks for a name without an answer only after the others, and keeps its addresses", async () => {
    const domain = await prove(organization, (name) => ({
      search: { [name]: { logged: [logged([`lost.${name}`])] } },
      zones: { [`lost.${name}`]: { fails: "SERVFAIL" } },
    }));
    const done = await discovered(organization, domain);
    expect(done.sources.at(-1)).toMatchObject({
      name: "dns",
      state: "failing",
      error: expect.stringMatching(/^1 of \d+ queries failed/),
    });
    const asked = "SELECT addresses, resolved_at FROM subdomains WHERE domain_id = $1 AND asked_at IS NOT NULL";
    expect(await query(server, "app", asked, [domain.id])).toEqual([{ addresses: [], resolved_at: null }]);
  });

  test("runs on demand once its sources have rested, and searches only for new log entries", async () => {
    const domain = await prove(organization, (name) => ({ search: { [name]: { logged: [logged([`a.${name}`])] } } }));
    await discovered(organization, domain);
    const { name } = domain;
    await arrange(server, { search: { [name]: { logged: [logged([`a.${name}`]), logged([`b.${name}`])] } } });
    const discover = () => organization.admin.post<Domain>(`/subdomains/domains/${domain.id}/discover`);
    for (const { data } of [await discover(), await discover()]) {
      for (const { last_started_at, next_run_at } of data.sources) {
        expect(Date.parse(next_run_at ?? "") - Date.parse(last_started_at ?? "")).toBe(REST_MINUTES * MINUTE_MS);
      }
    }
    const rested = `UPDATE domain_sources SET last_started_at = last_started_at - make_interval(mins => $2::integer)
      WHERE domain_id = $1 RETURNING source`;
    await query(server, "app", rested, [domain.id, REST_MINUTES]);
    const asked = await discover();
    expect(await eventById(server, asked.requestId)).toMatchObject({
      action: "domain.discover",
      resource_id: domain.id,
    });
    await discovered(organization, domain);
    expect((await namesOf(organization, domain)).map((each) => each.name)).toContain(`b.${name}`);
    const searches = (await askedAbout(server, name)).filter((target) => target.startsWith("/v1/issuances"));
    expect(searches.map((target) => new URL(target, "http://x").searchParams.get("after"))).toEqual([
      null,
      "1",
      "1",
      "2",
    ]);
  });

  test("continues the run of a process that died", async () => {
    const domain = await prove(organization, (name) => ({ search: { [name]: { logged: [logged([`a.${name}`])] } } }));
    await discovered(organization, domain);
    const { name } = domain;
    await arrange(server, { search: { [name]: { logged: [logged([`a.${name}`]), logged([`b.${name}`])] } } });
    const dead = `UPDATE domain_sources SET leased_until = now() - interval '1 second', next_run_at = now() + interval '1 day'
      WHERE domain_id = $1 AND source = 'ct_search' RETURNING source`;
    await query(server, "app", dead, [domain.id]);
    await until("its work was taken up", async () =>
      (await namesOf(organization, domain)).some((each) => each.name === `b.${name}`),
    );
  });
});

describe("review", () => {
  const review = (by: Organization, action: string, ids: string[]) =>
    by.admin.post<{ results: ReviewResult[] }>("/subdomains/bulk", { action, ids });

  async function withNames(by: Organization, count: number): Promise<{ domain: Domain; names: Subdomain[] }> {
    const domain = await prove(
      by,
      (name) => ({
        search: {
          [name]: { logged: Array.from({ length: count }, (_, at) => logged([`h${at}.${name}`, `*.h0.${name}`])) },
        },
      }),
      { sources: ["ct_search"], expected_issuers: ["Let's Encrypt"] },
    );
    await discovered(by, domain);
    return { domain, names: await namesOf(by, domain) };
  }

  test("monitors, ignores and restores one or many names, with one event per request", async () => {
    const { domain, names } = await withNames(organization, 4);
    const [a, b, c, d] = names.filter(({ wildcard }) => !wildcard);
    const wildcard = names.find((each) => each.wildcard);
    if (!a || !b || !c || !d || !wildcard) throw new Error("names are missing");
    const watched = await review(organization, "monitor", [a.id, b.id, wildcard.id, newId(), a.id]);
    expect(watched.data.results.map(({ status, error }) => [status, error?.split(" ")[0] ?? null])).toEqual([
      ["done", null],
      ["done", null],
      ["failed", "A"],
      ["failed", "This"],
    ]);
    expect(await eventById(server, watched.requestId)).toMatchObject({ action: "subdomain.review", status_code: 200 });
    const endpoint = await organization.read.get(`/certificates/endpoints/${watched.data.results[0]?.endpoint_id}`);
    expect(endpoint.data).toMatchObject({ host: a.name, port: 443, expected_issuers: ["Let's Encrypt"] });

    const set = await review(organization, "ignore", [a.id, c.id, d.id]);
    expect(set.data.results.map(({ status }) => status)).toEqual(["failed", "done", "done"]);
    const back = await review(organization, "restore", [d.id, b.id]);
    expect(back.data.results.map(({ status }) => status)).toEqual(["done", "unchanged"]);

    const states = Object.fromEntries((await namesOf(organization, domain)).map(({ id, state }) => [id, state]));
    expect(states).toEqual({
      [a.id]: "monitored",
      [b.id]: "monitored",
      [c.id]: "ignored",
      [d.id]: "new",
      [wildcard.id]: "new",
    });
    expect((await domainOf(organization, domain)).names).toEqual({ new: 2, monitored: 2, ignored: 1 });
    // A name without an endpoint has to be reviewed again.
    await organization.admin.delete(`/certificates/endpoints/${watched.data.results[0]?.endpoint_id}`);
    const { data: again } = await organization.read.get<Subdomain>(`/subdomains/${a.id}`);
    expect(again).toMatchObject({ state: "new", endpoint_id: null });
  });

  test("monitors nothing if the plan does not allow all names", async () => {
    const full = await newOrganization(server);
    const { names } = await withNames(full, 3);
    const limit = plans.free.certificate_endpoints;
    const items = Array.from({ length: limit - 1 }, (_, at) => ({ host: `h${at}.example.test`, reported: true }));
    await full.admin.post("/certificates/endpoints/bulk", { items });
    const hosts = names.filter(({ wildcard }) => !wildcard).map(({ id }) => id);
    const refused = await review(full, "monitor", hosts);
    expect([refused.status, refused.error]).toMatchObject([
      402,
      { code: "PLAN_LIMIT_REACHED", limit, used: limit - 1 },
    ]);
    const one = await review(full, "monitor", hosts.slice(0, 1));
    expect(one.data.results[0]?.status).toBe("done");
  });

  test("filters", async () => {
    const { domain, names } = await withNames(organization, 3);
    await review(organization, "ignore", [names.find(({ wildcard }) => !wildcard)?.id ?? ""]);
    const count = async (filter: string) => {
      const answer = await organization.read.get<Subdomain[]>(`/subdomains?domain_id=${domain.id}&${filter}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.data.length;
    };
    expect(await count("state=new")).toBe(3);
    expect(await count("state=ignored")).toBe(1);
    expect(await count("state=monitored")).toBe(0);
    expect(await count("wildcard=true")).toBe(1);
    expect(await count("source=dns")).toBe(0);
    expect(await count("expired_only=true")).toBe(0);
    expect(await count("expired_only=false")).toBe(4);
    expect(await count("q=H1.")).toBe(1);
    const rename =
      "UPDATE subdomains SET name = 'xn--bcher-kva.' || name WHERE organization_id = $1 AND id = $2 RETURNING id";
    await query(server, "app", rename, [organization.id, names.at(-1)?.id ?? ""]);
    expect(await count("q=B%C3%BCcher.")).toBe(1);
    expect(await count("q=%25")).toBe(0);
    const page = await organization.read.get<Subdomain[]>(`/subdomains?domain_id=${domain.id}&limit=3`);
    const cursor = page.pagination.next_cursor;
    const rest = await organization.read.get<Subdomain[]>(
      `/subdomains?domain_id=${domain.id}&limit=3&cursor=${cursor}`,
    );
    expect([...page.data, ...rest.data].map(({ id }) => id)).toEqual(names.map(({ id }) => id));
    const other = await organization.read.get(`/subdomains?limit=3&cursor=${cursor}`);
    expect(other.status).toBe(400);
  });

  test("does not see another organization's names", async () => {
    const { domain, names } = await withNames(organization, 1);
    const [name] = names;
    const other = await newOrganization(server);
    expect((await other.read.get<Subdomain[]>("/subdomains")).data).toEqual([]);
    expect((await other.read.get<Subdomain[]>(`/subdomains?domain_id=${domain.id}`)).data).toEqual([]);
    expect((await other.read.get<Issuance[]>(`/subdomains/issuances?domain_id=${domain.id}`)).data).toEqual([]);
    const reviewed = await review(other, "ignore", [name?.id ?? ""]);
    expect(reviewed.data.results).toMatchObject([{ status: "failed", error: "This name does not exist." }]);
    expect((await namesOf(organization, domain)).every(({ state }) => state === "new")).toBe(true);
    expect((await organization.read.post("/subdomains/bulk", { action: "ignore", ids: [name?.id] })).status).toBe(403);
  });
});

describe("unexpected issuers", () => {
  const alertsOf = async ({ id }: Organization) => {
    const any = { status: undefined, severity: undefined, subject_id: undefined, certificate_id: undefined };
    const asked = { ...any, rule_id: undefined, since: undefined, until: undefined, limit: 50, cursor: undefined };
    return (await listAlerts(systemPrincipal(id), asked)).items;
  };

  test("raise one alert per certificate by the default rules, until they are expected", async () => {
    const own = await newOrganization(server);
    const domain = await prove(
      own,
      (name) => ({
        search: {
          [name]: {
            logged: [
              logged([`www.${name}`]),
              logged([`vpn.${name}`], { issuer: STRANGER }),
              logged([`gone.${name}`], { issuer: STRANGER, not_before: day(-200), not_after: day(-110) }),
            ],
          },
        },
        publicSearch: { [name]: { logged: [logged([`vpn.${name}`], { issuer: STRANGER })] } },
      }),
      { expected_issuers: ["Let's Encrypt"] },
    );
    const done = await discovered(own, domain);
    expect(done.unexpected_issuances).toBe(1);
    const { data } = await own.read.get<Issuance[]>("/subdomains/issuances?unexpected=true&current=true");
    expect(data).toMatchObject([
      {
        names: [`vpn.${domain.name}`],
        finding: {
          code: "issuer_unexpected",
          severity: "warning",
          evidence: { issuer: "CN=Unheard Of CA 1,O=Unheard Of,C=XX", expected: ["Let's Encrypt"] },
          closed_at: null,
        },
      },
    ]);
    expect((await own.read.get<Issuance[]>("/subdomains/issuances?unexpected=true&current=false")).data).toHaveLength(
      1,
    );

    const [alert] = await until(
      "there is an alert",
      async () => {
        const alerts = await alertsOf(own);
        return alerts.length > 0 && alerts;
      },
      TIMEOUT_MS,
    );
    expect(alert).toMatchObject({
      rule: { name: "Certificate problems" },
      subject: { type: "issuance", id: data[0]?.id, name: `vpn.${domain.name}` },
      causes: ["issuer_unexpected"],
      status: "open",
      severity: "warning",
      detail: "issued by the unexpected issuer CN=Unheard Of CA 1,O=Unheard Of,C=XX",
    });
    expect(await alertsOf(own)).toHaveLength(1);

    const path = `/subdomains/domains/${domain.id}`;
    const changed = await own.admin.put<Domain>(path, { expected_issuers: ["Let's Encrypt", "Unheard Of"] });
    expect(changed.data.unexpected_issuances).toBe(0);
    await until("its cause is gone", async () => (await alertsOf(own))[0]?.cause_gone_at != null, TIMEOUT_MS);
  });

  test("can have their own rule for one domain", async () => {
    const own = await newOrganization(server);
    const world = (name: string) => ({ search: { [name]: { logged: [logged([name], { issuer: STRANGER })] } } });
    const body = { expected_issuers: ["Let's Encrypt"], sources: ["ct_search"] };
    const [one, other] = [await prove(own, world, body), await prove(own, world, body)];
    await Promise.all([discovered(own, one), discovered(own, other)]);
    const preview = await own.admin.post<{ matches: { subject: { name: string } }[] }>("/alert-rules/preview", {
      name: "Strangers",
      selector: { ids: [one.id] },
      condition: { type: "finding", codes: ["issuer_unexpected"] },
      steps: [{ severity: "critical" }],
    });
    expect(preview.data.matches.map(({ subject }) => subject.name)).toEqual([one.name]);
  });
});

// Last: a hanging search delays others until its deadline.
test("a run ends when its domain is deleted", async () => {
  const domain = await prove(organization, (name) => ({
    search: { [name]: { hangs: true } },
  }));
  await until("it runs", async () => (await sourceOf(organization, domain, "ct_search"))?.state === "running");
  expect((await organization.admin.delete(`/subdomains/domains/${domain.id}`)).status).toBe(200);
  expect(await namesOf(organization, domain)).toEqual([]);
});
