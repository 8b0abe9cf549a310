import { Resolver } from "node:dns/promises";
import { getEventListeners } from "node:events";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startNameServer } from "@/e2e/support/stand-ins/name-server";
import { type Answers, type Logged, newSearches, startSearches } from "@/e2e/support/stand-ins/transparency";
import { parseNetwork } from "@/lib/networks";
import { ctPublicSearch } from "@/lib/subdomains/sources/ct-public-search";
import { ctSearch } from "@/lib/subdomains/sources/ct-search";
import { dns } from "@/lib/subdomains/sources/dns";
import type { Found, Source, SourceFailed, SourceQuery } from "@/lib/subdomains/sources/source";

// These tests mostly wait, and the machine may be busy.
vi.setConfig({ testTimeout: 30_000 });

const searches = newSearches("secret");
let http: Awaited<ReturnType<typeof startSearches>>;
let names: Awaited<ReturnType<typeof startNameServer>>;
beforeAll(async () => {
  http = await startSearches(searches);
  names = await startNameServer();
});
afterAll(() => {
  http.close();
  names.close();
});

const LIMITS = { deadlineMs: 20_000, maxBytes: 100_000 };
const SHORT_LIMITS = { ...LIMITS, deadlineMs: 300 };
const search = (token: string | undefined = "secret", limits = LIMITS) =>
  ctSearch(`${http.url}/v1/issuances`, token, limits);
const publicSearch = (_?: string, limits = LIMITS) => ctPublicSearch(`${http.url}/public`, limits);
const nameServer = (timeout = 5_000) => {
  const resolver = new Resolver({ timeout, tries: 1 });
  resolver.setServers([names.address]);
  return resolver;
};

/** All results of a source, and why it stopped. */
async function run(source: Source, domain: string, query: Partial<SourceQuery> = {}) {
  const found: Found[] = [];
  const { signal } = new AbortController();
  const guard = { allowedNetworks: [parseNetwork("127.0.0.0/8")] };
  try {
    for await (const part of source({ domain, place: null, known: [], guard, signal, ...query })) found.push(part);
  } catch (error) {
    const { name, message, retryAfterMs } = error as SourceFailed;
    expect(name).toBe("SourceFailed");
    return { found, error: message, retryAfterMs };
  }
  return { found, error: null, retryAfterMs: null };
}

const namesOf = ({ found }: { found: Found[] }) =>
  [...new Set(found.flatMap((part) => part.names.map(({ name }) => name)))].sort();

const LETS_ENCRYPT = "C=US, O=Let's Encrypt, CN=R11";
const logged = (...names: string[]): Logged => ({
  names,
  issuer: LETS_ENCRYPT,
  not_before: "2026-10-01T00:00:00Z",
  not_after: "2026-12-30T00:00:00Z",
});

describe.each([
  ["the search", search, searches.search],
  ["the public search", publicSearch, searches.publicSearch],
] as const)("%s", (kind, source, world) => {
  const about = (domain: string, answers: Answers) => {
    world.set(domain, answers);
    return run(source(), domain);
  };

  test("returns names of the domain and certificates in one format", async () => {
    const ran = await about("a.com", {
      logged: [logged("*.a.com", "WWW.a.com", "other.org", "xa.com", "not a name.a.com")],
    });
    expect(ran.error).toBeNull();
    expect(namesOf(ran)).toEqual(["*.a.com", "www.a.com"]);
    expect(ran.found[0]?.issuances[0]).toMatchObject({
      issuer: "CN=R11,O=Let's Encrypt,C=US",
      names: ["*.a.com", "www.a.com"],
      notBefore: new Date("2026-10-01T00:00:00Z"),
      notAfter: new Date("2026-12-30T00:00:00Z"),
    });
  });

  test("may return nothing without failing", async () => {
    expect(await about("empty.com", {})).toMatchObject({ error: null });
  });

  test("may be slow, but only up to the timeout", async () => {
    expect(namesOf(await about("slow.com", { slow: 100, logged: [logged("x.slow.com")] }))).toEqual(["x.slow.com"]);
    world.set("hangs.com", { hangs: true });
    expect(await run(source(undefined, SHORT_LIMITS), "hangs.com")).toEqual({
      found: [],
      error: "no response in time",
      retryAfterMs: null,
    });
  });

  test("is paused for as long as it requests", async () => {
    const ran = await about("busy.com", { throttled: { times: 1, retryAfter: 7 } });
    expect(ran).toEqual({ found: [], error: "too many requests", retryAfterMs: 7000 });
  });

  test.each([
    [{ status: 200, body: "<html>down for maintenance</html>" }, "the response is not JSON: down for maintenance"],
    [{ status: 200, body: '{"items":[]}' }, "the response is not a list of certificates"],
    [{ status: 200, body: '[{"id":1}]' }, "the response is not a list of certificates"],
    [{ status: 502, body: "Bad gateway" }, "HTTP status 502: Bad gateway"],
    [{ status: 302, body: "" }, "HTTP status 302"],
    [{ status: 200, body: `["${"x".repeat(100_000)}"]` }, "the response is too large"],
  ])("fails with a reason if it responds with %o", async (raw, why) => {
    const domain = `raw${raw.status}x${raw.body.length}${kind === "the search" ? "s" : "p"}.com`;
    const { error, found } = await about(domain, { raw });
    expect(error).toContain(why);
    expect(found).toEqual([]);
  });

  test("is not queried in a forbidden network", async () => {
    const ran = await run(source(), "a.com", { guard: { allowedNetworks: [] } });
    expect(ran.error).toBe("its address is in a forbidden network");
  });
});

describe("the search", () => {
  test("is read page by page, from the end of the last run", async () => {
    const all = Array.from({ length: 7 }, (_, at) => logged(`h${at}.paged.com`));
    searches.search.set("paged.com", { logged: all.slice(0, 5), pageSize: 2 });
    const first = await run(search(), "paged.com");
    expect(first.found.map(({ place }) => place)).toEqual(["2", "4", "5"]);
    searches.search.set("paged.com", { logged: all, pageSize: 2 });
    const next = await run(search(), "paged.com", { place: "5" });
    expect(namesOf(next)).toEqual(["h5.paged.com", "h6.paged.com"]);
    expect(next.found.at(-1)?.place).toBe("7");
  });

  test("keeps results from before it was throttled", async () => {
    const all = [logged("one.half.com"), logged("two.half.com")];
    const answers: Answers = { logged: all, pageSize: 1 };
    searches.search.set("half.com", answers);
    const part: Found[] = [];
    const failing = (async () => {
      const query = { domain: "half.com", place: null, known: [], signal: new AbortController().signal };
      const guard = { allowedNetworks: [parseNetwork("127.0.0.0/8")] };
      for await (const found of search()({ ...query, guard })) {
        part.push(found);
        answers.throttled = { times: 1, retryAfter: 3 };
      }
    })();
    await expect(failing).rejects.toMatchObject({ retryAfterMs: 3000 });
    expect(part.map(({ place }) => place)).toEqual(["1"]);
  });

  test("reports an invalid token", async () => {
    expect((await run(search("wrong"), "a.com")).error).toContain("HTTP status 401");
    expect((await run(ctSearch(`${http.url}/v1/issuances`, undefined, LIMITS), "a.com")).error).toContain("401");
  });

  test("stops if it repeats itself", async () => {
    const same = { id: "9", dns_names: [], issuer: { name: "" }, not_before: "2026-10-01T00:00:00Z" };
    const body = JSON.stringify([{ ...same, not_after: "2026-10-02T00:00:00Z" }]);
    searches.search.set("again.com", { raw: { status: 200, body } });
    expect((await run(search(), "again.com")).error).toBe("it returned the same page repeatedly");
  });
});

describe("the public search", () => {
  const asked = (domain: string) =>
    searches.asked
      .flatMap((target) => new URL(target, http.url).searchParams.get("q") ?? [])
      .filter((q) => q.includes(domain));
  const certificates = ({ found }: { found: Found[] }) =>
    found.flatMap(({ issuances }) => issuances.map(({ names }) => names.join(" ")));

  test.each([
    ["exact.com", true],
    ["wide.com", false],
  ])("finds certificates for the domain itself, each with all its names (%s)", async (domain, isExact) => {
    const all = [logged(domain), logged(domain, `www.${domain}`), logged(`api.${domain}`)];
    searches.publicSearch.set(domain, { isExact, logged: all });
    const ran = await run(publicSearch(), domain);
    expect(ran.error).toBeNull();
    expect(namesOf(ran)).toEqual([`api.${domain}`, domain, `www.${domain}`].sort());
    expect([...new Set(certificates(ran))].sort()).toEqual([`api.${domain}`, domain, `${domain} www.${domain}`].sort());
    // Certificate and precertificate.
    expect(certificates(ran)).toHaveLength(6);
    expect(asked(domain)).toEqual(isExact ? [domain, `%.${domain}`] : [domain]);
  });

  test("asks for the names below if the first answer does not show that it has them", async () => {
    searches.publicSearch.set("one.com", { logged: [logged("one.com", "www.one.com")] });
    const ran = await run(publicSearch(), "one.com");
    expect([...new Set(certificates(ran))]).toEqual(["one.com www.one.com"]);
    expect(asked("one.com")).toEqual(["one.com", "%.one.com"]);
  });
});

describe("DNS", () => {
  test("finds common names and resolves known names again", async () => {
    names.zones.set("n.com", { a: ["192.0.2.1"] });
    names.zones.set("www.n.com", { a: ["192.0.2.2"], aaaa: ["2001:db8::2"] });
    const ran = await run(
      dns(() => nameServer()),
      "n.com",
      { known: ["odd-name.n.com"] },
    );
    expect(ran.error).toBeNull();
    const found = ran.found.flatMap((part) => part.names);
    expect(found.map(({ name, addresses }) => [name, addresses])).toEqual([
      ["n.com", ["192.0.2.1"]],
      ["odd-name.n.com", []],
      ["www.n.com", ["192.0.2.2", "2001:db8::2"]],
    ]);
  });

  test("continues after its place, and counts what was not answered before it", async () => {
    const source = dns(() => nameServer());
    names.zones.set("a-site.place.com", { fails: "SERVFAIL" });
    const whole = await run(source, "place.com", { known: ["a-site.place.com", "z-site.place.com"] });
    expect(whole.error).toMatch(/^1 of \d+ queries failed: the name servers failed/);
    const [first, ...others] = whole.found.map(({ place }) => place);
    expect(whole.found.flatMap(({ unanswered }) => unanswered)).toEqual(["a-site.place.com"]);
    expect(first).toMatch(/^[a-d]\S*\.place\.com 1$/);
    expect(others.at(-1)).toBeNull();
    names.asked.length = 0;
    const rest = await run(source, "place.com", {
      known: ["a-site.place.com", "z-site.place.com"],
      place: first ?? null,
    });
    expect(rest.error).toMatch(/^1 of \d+ queries failed$/);
    expect(rest.found.map(({ place }) => place)).toEqual(others);
    expect(names.asked.some((each) => each.includes("z-site.place.com"))).toBe(true);
    expect(names.asked.some((each) => each.includes("a-site.place.com"))).toBe(false);
  });

  test("leaves nothing at the signal, which lasts as long as the worker", async () => {
    const { signal } = new AbortController();
    await run(
      dns(() => nameServer()),
      "n.com",
      { signal },
    );
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("ignores answers that every name gets", async () => {
    names.zones.set("*.all.com", { a: ["192.0.2.9"] });
    names.zones.set("api.all.com", { a: ["192.0.2.10"] });
    expect(
      namesOf(
        await run(
          dns(() => nameServer()),
          "all.com",
          { known: ["known.all.com"] },
        ),
      ),
    ).toEqual(["api.all.com", "known.all.com"]);
  });

  test.each([4, 12])("learns the addresses of a wildcard record that answers with one of %i in turn", async (count) => {
    const domain = `turn${count}.com`;
    const a = Array.from({ length: count }, (_, at) => `192.0.2.${at}`);
    names.zones.set(`*.${domain}`, { a, rotates: true });
    names.zones.set(`api.${domain}`, { a: ["198.51.100.1"] });
    const ran = await run(
      dns(() => nameServer()),
      domain,
    );
    expect(ran.error).toBeNull();
    expect(namesOf(ran)).toEqual([`api.${domain}`]);
  });

  test("finds only known names under a wildcard record with ever new addresses", async () => {
    const a = Array.from({ length: 200 }, (_, at) => `192.0.2.${at}`);
    names.zones.set("*.varies.com", { a, rotates: true });
    names.zones.set("varies.com", { a: ["198.51.100.1"] });
    const ran = await run(
      dns(() => nameServer()),
      "varies.com",
      { known: ["known.varies.com"] },
    );
    expect(ran.error).toBeNull();
    expect(namesOf(ran)).toEqual(["known.varies.com", "varies.com"]);
  });

  test.each([
    ["SERVFAIL", "the name servers failed to look it up"],
    ["REFUSED", "the name servers refused the query"],
    ["silence", "the name servers did not answer in time"],
  ] as const)("reports %s", async (fails, why) => {
    const domain = `${fails.toLowerCase()}.com`;
    names.zones.set(domain, { fails });
    expect(
      await run(
        dns(() => nameServer(300)),
        domain,
      ),
    ).toMatchObject({ found: [], error: why });
  });

  test("returns partial results if some queries fail", async () => {
    names.zones.set("part.com", { a: ["192.0.2.1"] });
    names.zones.set("www.part.com", { fails: "SERVFAIL" });
    const ran = await run(
      dns(() => nameServer()),
      "part.com",
    );
    expect(namesOf(ran)).toEqual(["part.com"]);
    expect(ran.error).toMatch(/^1 of \d+ queries failed: the name servers failed/);
  });
});
