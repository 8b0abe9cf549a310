import { afterAll, describe, expect, test } from "vitest";
import { startNameServer, type Zone } from "@/e2e/support/stand-ins/name-server";
import { configure } from "@/lib/config";
import { parseNetwork } from "@/lib/networks";
import type { CheckSettings } from "@/lib/uptime/checks/outcome";
import { probe } from "@/lib/uptime/checks/probe";
import type { DnsSettings } from "@/lib/uptime/dns";

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

/** Starts a name server with these names, and returns its address. */
async function serve(names: Record<string, Zone>): Promise<string> {
  const { address, zones, close } = await startNameServer();
  closers.push(close);
  for (const [name, zone] of Object.entries(names)) zones.set(name, zone);
  return address;
}

function look(dns: Partial<DnsSettings>, target = "site.test", allowed = "127.0.0.0/8", timeoutSeconds = 5) {
  const asked: DnsSettings = {
    ...{ record_type: "A", resolver: null, expected: [], match: "any", expect_nxdomain: false },
    ...dns,
  };
  const settings: CheckSettings = {
    type: "dns",
    target,
    method: "GET",
    headers: {},
    authentication: { type: "none" },
    requestBody: null,
    assertions: {},
    typeSettings: { dns: asked },
    expectedStatus: [],
    expectedText: null,
    followRedirects: true,
    verifyTls: true,
    timeoutSeconds,
  };
  return probe(settings, { allowedNetworks: allowed.split(", ").map(parseNetwork) });
}

describe("dns", () => {
  test("answers of each type pass and are shown", async () => {
    const name = "site.test";
    const resolver = await serve({
      [name]: {
        a: ["192.0.2.1", "192.0.2.2"],
        txt: ["v=spf1 -all"],
        more: [
          { type: "MX", name, data: { preference: 10, exchange: "mail.site.test" } },
          { type: "CAA", name, data: { flags: 0, tag: "issue", value: "letsencrypt.org" } },
          { type: "SRV", name, data: { priority: 10, weight: 5, port: 443, target: "a.site.test" } },
        ],
      },
      "1.2.0.192.in-addr.arpa": { more: [{ type: "PTR", name: "1.2.0.192.in-addr.arpa", data: name }] },
    });
    const of = (record_type: DnsSettings["record_type"], expected: string[], target?: string) =>
      look({ record_type, resolver, expected, match: "exactly" }, target);
    expect(await of("A", ["192.0.2.2", "192.0.2.1"])).toMatchObject({
      ok: true,
      address: "127.0.0.1",
      statusCode: null,
    });
    expect(await of("TXT", ["v=spf1 -all"])).toMatchObject({ ok: true });
    expect(await of("MX", ["10 Mail.site.test."])).toMatchObject({ ok: true });
    expect(await of("CAA", ['0 issue "letsencrypt.org"'])).toMatchObject({ ok: true });
    expect(await of("SRV", ["10 5 443 a.site.test"])).toMatchObject({ ok: true });
    expect(await of("PTR", ["site.test"], "192.0.2.1")).toMatchObject({ ok: true });
    const other = await of("A", ["192.0.2.1"]);
    expect(other).toMatchObject({ reason: "unexpected_answer", detail: "192.0.2.1, 192.0.2.2" });
    expect(other.response?.body?.toString()).toBe("192.0.2.1\n192.0.2.2");
    expect(other.dnsUs).toBeGreaterThan(0);
  });

  test("the root as a target says that there is no such service", async () => {
    const name = "none.test";
    const more = [
      { type: "MX" as const, name, data: { preference: 0, exchange: "." } },
      { type: "SRV" as const, name, data: { priority: 0, weight: 0, port: 0, target: "." } },
    ];
    const resolver = await serve({ [name]: { more } });
    for (const [record_type, answer] of [
      ["MX", "0 ."],
      ["SRV", "0 0 0 ."],
    ] as const) {
      const settings = { record_type, resolver, match: "exactly" as const };
      expect(await look({ ...settings, expected: [answer] }, name)).toMatchObject({ ok: true });
      expect(await look({ ...settings, expected: ["0 mail.test"] }, name)).toMatchObject({ detail: answer });
    }
  });

  test("a name that does not exist fails, or passes if it is expected not to", async () => {
    const resolver = await serve({ "site.test": { a: ["192.0.2.1"] }, "none.test": { txt: ["x"] } });
    const asked = (target: string, expect_nxdomain: boolean) => look({ resolver, expect_nxdomain }, target);
    expect(await asked("gone.test", false)).toMatchObject({
      reason: "dns_failure",
      detail: "the name does not exist",
    });
    expect(await asked("gone.test", true)).toMatchObject({ ok: true });
    for (const name of ["site.test", "none.test"]) {
      expect(await asked(name, true)).toMatchObject({ reason: "unexpected_answer", detail: "the name exists" });
    }
  });

  test("the answers of the installation's own name servers hide forbidden addresses, those of others do not", async () => {
    const pointer = "5.0.0.10.in-addr.arpa";
    const own = await serve({
      "inside.test": { a: ["8.8.8.8", "10.0.0.5"], aaaa: ["fd00::5"] },
      "outside.test": { a: ["8.8.8.8"] },
      "8.8.8.8.in-addr.arpa": { more: [{ type: "PTR", name: "8.8.8.8.in-addr.arpa", data: "outside.test" }] },
      [pointer]: { more: [{ type: "PTR", name: pointer, data: "inside.test" }] },
    });
    const { DNS_SERVERS: before = "" } = process.env;
    configure({ DNS_SERVERS: own });
    try {
      const refused = { reason: "forbidden_address", detail: null };
      const questions = [
        ["A", "inside.test"],
        ["AAAA", "inside.test"],
        ["PTR", "10.0.0.5"],
        ["PTR", pointer],
      ] as const;
      for (const [record_type, target] of questions) {
        const outcome = await look({ record_type, expected: ["other"] }, target);
        expect(outcome).toMatchObject(refused);
        expect(outcome.response).toBeNull();
        expect(await look({ record_type }, target, "::/0, 0.0.0.0/0")).toMatchObject({ ok: true });
        expect(await look({ record_type, resolver: own }, target)).toMatchObject({ ok: true });
      }
      expect(await look({ expect_nxdomain: true }, "inside.test")).toMatchObject(refused);
      expect(await look({}, "outside.test")).toMatchObject({ ok: true });
      expect(await look({ record_type: "PTR" }, "8.8.8.8")).toMatchObject({ ok: true });
    } finally {
      configure({ DNS_SERVERS: before });
    }
  });

  test("a name server in a forbidden network is not asked, and a silent one times out", async () => {
    const resolver = await serve({ "silent.test": { fails: "silence" } });
    expect(await look({ resolver }, "site.test", "192.0.2.0/24")).toMatchObject({ reason: "forbidden_address" });
    const silent = await look({ resolver }, "silent.test", "127.0.0.0/8", 0.5);
    expect(silent).toMatchObject({ ok: false, reason: "timeout", address: "127.0.0.1" });
  });
});
