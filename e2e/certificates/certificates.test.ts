import { createSecureContext } from "node:tls";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillWithEndpoints } from "@/e2e/support/large-organization";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { makeOcspResponse } from "@/e2e/support/stand-ins/ocsp";
import { type Authority, makeAuthority, makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { closedPort, serveTcp, serveTls, type TestServer } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { toResult } from "@/lib/certificates/check/check";
import type { Certificate, CertificateDetail, CertificateEndpointDetail } from "@/lib/certificates/contract";
import type { Sighting } from "@/lib/certificates/history-contract";
import type { Observation } from "@/lib/certificates/probe/observation";
import { readEndpointToCheck } from "@/lib/certificates/record/endpoint-to-check";
import { recordResults } from "@/lib/certificates/record/record-results";
import { recheckTrustStoreUsers } from "@/lib/certificates/trust-stores/recheck-users";
import type { TrustStoreDetail } from "@/lib/certificates/trust-stores/trust-store-contract";
import { BEFORE_ANY_ID, newId } from "@/lib/ids";

const server = sharedServer();
const ENDPOINTS = "/certificates/endpoints";
let organization: Organization;
let authority: Authority;
const testServers: TestServer[] = [];

beforeAll(async () => {
  [organization, authority] = await Promise.all([newOrganization(server), makeAuthority("Private")]);
});

afterAll(() => Promise.all(testServers.map(({ close }) => close())));

function keep(testServer: TestServer): TestServer {
  testServers.push(testServer);
  return testServer;
}

async function watch(port: number, input: object = {}): Promise<CertificateEndpointDetail> {
  const answer = await organization.admin.post<CertificateEndpointDetail>(ENDPOINTS, {
    host: "127.0.0.1",
    port,
    ...input,
  });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.header("location")).toBe(`/api/v1${ENDPOINTS}/${answer.data.id}`);
  return answer.data;
}

/** The same without the share of a lifetime that is left, which changes with the clock. */
const still = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (name, field) => (name === "lifetime_left_share" ? 0 : field)));

function codes({ findings }: CertificateEndpointDetail): string[] {
  return findings.map(({ code }) => code);
}

/** An endpoint's findings in the database. */
function history({ id }: { id: string }) {
  return query<{ code: string; closed: boolean }>(
    server,
    "app",
    `SELECT code, closed_at IS NOT NULL AS closed FROM certificate_findings
     WHERE organization_id = $1 AND endpoint_id = $2 ORDER BY opened_at, code`,
    [organization.id, id],
  );
}

/**
 * Waits until the worker has checked an endpoint after a response that showed it, and returns it. Looks into the database, because
 * polling would exceed the rate limit.
 */
async function checkedAgain(owner: Organization, { id, last_checked_at }: CertificateEndpointDetail) {
  const text = "SELECT FROM certificate_endpoints WHERE organization_id = $1 AND id = $2 AND last_checked_at > $3";
  await until("the worker has looked", async () => {
    return (await query(server, "app", text, [owner.id, id, last_checked_at])).length > 0;
  });
  return (await owner.admin.get<CertificateEndpointDetail>(`${ENDPOINTS}/${id}`)).data;
}

/** Makes an endpoint due now. */
async function makeDue(organization: Organization, { id }: { id: string }): Promise<void> {
  const text =
    "UPDATE certificate_endpoints SET next_check_at = now() WHERE organization_id = $1 AND id = $2 RETURNING id";
  expect(await query(server, "app", text, [organization.id, id])).toHaveLength(1);
}

describe("monitoring", () => {
  test("a certificate of a private authority is checked immediately, with all findings", async () => {
    const leaf = await authority.leaf({ sans: ["good.test", "127.0.0.1"], untilDays: 5 });
    const testServer = keep(await serveTls([leaf, authority.intermediate]));
    const made = await watch(testServer.port);
    expect(made).toMatchObject({
      host: "127.0.0.1",
      port: testServer.port,
      sni: null,
      status: "critical",
      reachability: { state: "reachable", since: expect.any(String) },
      certificate: {
        subject: "CN=good.test",
        common_name: "good.test",
        sans: ["good.test", "127.0.0.1"],
        issuer: "CN=Private Intermediate",
        not_after: leaf.certificate.notAfter.toISOString(),
        days_left: 4,
        key_type: "ec",
        key_bits: 256,
        signature_algorithm: "ecdsa-with-SHA256",
        is_ca: false,
      },
      connection: { address: "127.0.0.1", protocol: "TLSv1.3", dns_ms: null, tls_ms: expect.any(Number) },
      served_chain: [{ subject: "CN=good.test" }, { subject: "CN=Private Intermediate", is_ca: true }],
    });
    expect(made.certificate?.lifetime_left_share).toBeCloseTo(5 / 6, 2);
    expect(made.findings).toMatchObject([
      { code: "untrusted_root", severity: "critical", evidence: { subject: "CN=Private Root", served: false } },
    ]);
    expect(new Date(made.next_check_at).getTime()).toBeGreaterThan(Date.now());
    const got = await organization.read.get<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}`);
    expect(still(got.data)).toEqual(still(made));
    const listed = await organization.read.get<CertificateEndpointDetail[]>(ENDPOINTS);
    const {
      served_chain: _,
      expected_chain: __,
      install_pem: ___,
      addresses: ____,
      renewal_info: _____,
      tls_scan: ______,
      ...item
    } = made;
    expect(still(listed.data)).toContainEqual(still(item));
  });

  test.each(["an endpoint that serves it", "another trust store"])(
    "a missing issuer is known from %s, to its organization only",
    async (source) => {
      const [own, stranger, { root, intermediate, leaf }] = await Promise.all([
        newOrganization(server),
        newOrganization(server),
        makeAuthority("Known"),
      ]);
      const lone = keep(await serveTls([await leaf({ sans: ["127.0.0.1", "lone.test"] })]));
      const complete = keep(await serveTls([await leaf({ sans: ["127.0.0.1"] }), intermediate]));
      const add = async <T>({ admin }: Organization, path: string, body: object) => {
        const answer = await admin.post<T>(path, body);
        expect(answer.status, answer.text).toBe(201);
        return answer.data;
      };
      const trusting = async (of: Organization) => {
        const store = await add<TrustStoreDetail>(of, "/certificates/trust-stores", { name: "Ours", pem: root.pem });
        return (port: number) =>
          add<CertificateEndpointDetail>(of, ENDPOINTS, { host: "127.0.0.1", port, trust_store_id: store.id });
      };
      const [watchOwn, watchStranger] = [await trusting(own), await trusting(stranger)];
      if (source === "another trust store") {
        await add(own, "/certificates/trust-stores", { name: "Intermediates", pem: intermediate.pem });
      } else {
        expect(codes(await watchOwn(complete.port))).toEqual([]);
      }
      const { intermediate: namesake } = await makeAuthority("Known");
      const { id } = await add<CertificateDetail>(own, "/certificates", { pem: namesake.pem });
      // As one that only an earlier release could parse.
      const unparsable = "UPDATE certificates SET der = '\\x3000' WHERE organization_id = $1 AND id = $2";
      await query(server, "app", unparsable, [own.id, id]);
      const mended = await watchOwn(lone.port);
      expect(mended.findings).toMatchObject([
        {
          code: "chain_incomplete",
          severity: "critical",
          evidence: { missing: [{ subject: "CN=Known Intermediate" }] },
        },
      ]);
      expect(mended.install_pem).toContain(intermediate.pem.trim().split("\n")[1]);
      const unknown = await watchStranger(lone.port);
      expect(codes(unknown)).toEqual(["untrusted_root", "chain_incomplete"]);
      expect(unknown.install_pem).toBeNull();
    },
  );

  test("new endpoints trust the organization's default trust store unless they name another or none", async () => {
    const [own, stranger] = await Promise.all([newOrganization(server), newOrganization(server)]);
    const STORES = "/certificates/trust-stores";
    const store = async (name: string, is_default: boolean) =>
      (await own.admin.post<TrustStoreDetail>(STORES, { name, pem: authority.root.pem, is_default })).data;
    const trusted = async ({ admin }: Organization, body: object = {}) => {
      const target = { host: `${newId()}.invalid`, reported: true, ...body };
      return (await admin.post<CertificateEndpointDetail>(ENDPOINTS, target)).data.trust_store_id;
    };
    const [first, second] = [await store("First", true), await store("Second", false)];
    expect([first.is_default, second.is_default]).toEqual([true, false]);
    expect(await trusted(own)).toBe(first.id);
    expect(await trusted(own, { trust_store_id: null })).toBeNull();
    expect(await trusted(own, { trust_store_id: second.id })).toBe(second.id);
    expect(await trusted(stranger)).toBeNull();

    expect((await own.admin.put(`${STORES}/${second.id}`, { is_default: true })).data).toMatchObject({
      name: "Second",
      is_default: true,
    });
    expect((await own.read.get(`${STORES}/${first.id}`)).data).toMatchObject({ is_default: false });
    const items = [
      { host: "a.invalid", reported: true },
      { host: "b.invalid", reported: true, trust_store_id: null },
      { host: "c.invalid", reported: true, trust_store_id: first.id },
    ];
    await own.admin.post(`${ENDPOINTS}/bulk`, { items });
    const byHost = new Map(
      (await own.read.get<CertificateEndpointDetail[]>(ENDPOINTS)).data.map((each) => [each.host, each.trust_store_id]),
    );
    expect(items.map(({ host }) => byHost.get(host))).toEqual([second.id, null, first.id]);
    await own.admin.post(`${ENDPOINTS}/bulk`, { items: [{ host: "b.invalid", tags: ["kept"] }] });
    const kept = await own.read.get<CertificateEndpointDetail[]>(`${ENDPOINTS}?tag=kept`);
    expect(kept.data).toMatchObject([{ host: "b.invalid", trust_store_id: null }]);
  });

  test("a trust store that is renamed while another becomes the default does not stay the default", async () => {
    const own = await newOrganization(server);
    const STORES = "/certificates/trust-stores";
    const store = async (name: string, is_default: boolean) =>
      (await own.admin.post<TrustStoreDetail>(STORES, { name, pem: authority.root.pem, is_default })).data.id;
    const [first, second] = [await store("First", true), await store("Second", false)];
    const holder = new pg.Client({ connectionString: server.databases.app });
    await holder.connect();
    await holder.query("BEGIN");
    const choose = "UPDATE certificate_trust_stores SET is_default = $3 WHERE organization_id = $1 AND id = $2";
    await holder.query(choose, [own.id, first, false]);
    await holder.query(choose, [own.id, second, true]);
    const renaming = own.admin.put<TrustStoreDetail>(`${STORES}/${first}`, { name: "Renamed" });
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
      AND query LIKE '%certificate_trust_stores%'`;
    await until("the request waits", async () => (await query(server, "app", waiting)).length > 0);
    await holder.query("COMMIT");
    await holder.end();
    expect((await renaming).data).toMatchObject({ name: "Renamed", is_default: false });
    expect((await own.read.get(`${STORES}/${second}`)).data).toMatchObject({ is_default: true });
  });

  test("the default trust store is chosen while an addition near the plan's limit goes on; an organization has at most 100", async () => {
    const own = await newOrganization(server);
    const STORES = "/certificates/trust-stores";
    const body = { name: "First", pem: authority.root.pem };
    const { data: first } = await own.admin.post<TrustStoreDetail>(STORES, body);
    const holder = new pg.Client({ connectionString: server.databases.app });
    await holder.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE", [own.id]);
    const chosen = await own.admin.put(`${STORES}/${first.id}`, { is_default: true, pem: body.pem });
    expect(chosen.status, chosen.text).toBe(200);
    await holder.query("COMMIT");
    await holder.end();

    await query(
      server,
      "app",
      `INSERT INTO certificate_trust_stores (organization_id, id, name, pem, created_at, updated_at)
       SELECT organization_id, gen_random_uuid(), n::text, pem, now(), now()
       FROM certificate_trust_stores, generate_series(2, 100) n WHERE organization_id = $1`,
      [own.id],
    );
    const beyond = await own.admin.post(STORES, { ...body, name: "One more", is_default: true });
    expect([beyond.status, beyond.error.code]).toEqual([409, "CONFLICT"]);
    expect(beyond.error.message).toBe("An organization can have at most 100 trust stores.");
    expect((await own.read.get(`${STORES}/${first.id}`)).data).toMatchObject({ is_default: true });
  });

  test("changed certificates of a trust store make its endpoints due, and discard checks that are under way", async () => {
    const own = await newOrganization(server);
    const { intermediate, root } = authority;
    const body = { name: "Ours", pem: root.pem };
    const { data: store } = await own.admin.post<TrustStoreDetail>("/certificates/trust-stores", body);
    await fillWithEndpoints(server, own.id, 2);
    // As if a worker held the leases, so that none checks them.
    await query(
      server,
      "app",
      `UPDATE certificate_endpoints SET trust_store_id = $2, leased_until = now() + interval '1 hour',
         next_check_at = now() + CASE WHEN host = 'host-1.example' THEN interval '1 hour' ELSE interval '-1 hour' END
       WHERE organization_id = $1`,
      [own.id, store.id],
    );
    const read = () =>
      query<{ version: number; is_due: boolean }>(
        server,
        "app",
        `SELECT version, next_check_at <= now() AS is_due FROM certificate_endpoints WHERE organization_id = $1 ORDER BY host`,
        [own.id],
      );
    expect(await read()).toEqual([
      { version: 1, is_due: false },
      { version: 1, is_due: true },
    ]);
    await own.admin.put(`/certificates/trust-stores/${store.id}`, { pem: root.pem + intermediate.pem });
    // Checks that are under way are not recorded with another version.
    expect(await read()).toEqual([
      { version: 2, is_due: true },
      { version: 2, is_due: true },
    ]);
  });

  test("the worker makes those endpoints of a changed trust store due for which the request had no time, also many", async () => {
    const own = await newOrganization(server);
    const body = { name: "Ours", pem: authority.root.pem };
    const { data: store } = await own.admin.post<TrustStoreDetail>("/certificates/trust-stores", body);
    await fillWithEndpoints(server, own.id, 2_500);
    const change = (text: string) => query(server, "app", text, [own.id, store.id]);
    // As if a worker held the leases, so that none checks them.
    await change(`UPDATE certificate_endpoints SET trust_store_id = $2, leased_until = now() + interval '1 hour'
      WHERE organization_id = $1 AND host LIKE '%7.example'`);
    await change(
      `UPDATE certificate_trust_stores SET recheck_after = '${BEFORE_ANY_ID}' WHERE organization_id = $1 AND id = $2`,
    );
    await recheckTrustStoreUsers(new AbortController().signal);
    const left =
      "SELECT FROM certificate_trust_stores WHERE organization_id = $1 AND id = $2 AND recheck_after IS NOT NULL";
    await until("nothing is left", async () => (await change(left)).length === 0);
    const due = `SELECT trust_store_id = $2 AS uses, count(*)::integer FROM certificate_endpoints
      WHERE organization_id = $1 AND next_check_at <= now() GROUP BY 1`;
    expect(await change(due)).toEqual([{ uses: true, count: 250 }]);
  });

  test("a stapled revocation makes an endpoint critical, also when the next response says nothing", async () => {
    const { intermediate } = authority;
    const leaf = await authority.leaf({ sans: ["127.0.0.1"] });
    const staple = makeOcspResponse({ about: leaf, issuer: intermediate, status: "revoked" });
    const { port } = keep(await serveTls([leaf, intermediate], {}, "127.0.0.1", staple));
    const made = await watch(port);
    expect(made.findings).toMatchObject([
      { code: "revoked", severity: "critical", evidence: { source: "ocsp_staple", reason: "key_compromise" } },
      { code: "untrusted_root" },
    ]);
    staple.fill(0);
    const { data } = await organization.admin.post<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}/check`);
    expect(data.findings.filter(({ code }) => code === "revoked")).toEqual(made.findings.slice(0, 1));
    expect(codes(data)).toContain("ocsp_staple_invalid");
  });

  test("an unreachable endpoint is added too", async () => {
    const refused = await watch(await closedPort());
    expect(refused).toMatchObject({
      status: "unreachable",
      reachability: { state: "unreachable" },
      certificate: null,
      connection: null,
      served_chain: [],
      findings: [{ code: "unreachable", severity: "critical", evidence: { reason: "connection_refused" } }],
    });
    const http = await watch(keep(await serveTcp((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))).port);
    expect(http.findings).toMatchObject([{ code: "tls_handshake_failed", evidence: { reason: "not_tls" } }]);
    const unknown = await watch(443, { host: "no-such-name.invalid" });
    expect(unknown).toMatchObject({ status: "unreachable", findings: [{ code: "dns_failure" }] });
  });

  test("a name that only this machine resolves is checked under that name", async () => {
    const leaf = await makeCertificate({ name: "localhost", sans: ["localhost"] });
    const made = await watch(keep(await serveTls([leaf])).port, { host: "LocalHost." });
    expect(made).toMatchObject({ host: "localhost", connection: { address: "127.0.0.1", dns_ms: expect.any(Number) } });
    expect(codes(made)).toEqual(["self_signed"]);
  });

  test.each([
    ["a private address", { host: "10.0.0.1" }, "host"],
    ["metadata", { host: "169.254.169.254" }, "host"],
    ["metadata as IPv4-mapped", { host: "::ffff:169.254.169.254" }, "host"],
    ["unique-local", { host: "[fd00::1]" }, "host"],
    ["a URL", { host: "https://example.com/" }, "host"],
    ["a private address to connect to", { host: "example.com", connect_to: "10.0.0.1" }, "connect_to"],
    ["a name to connect to", { host: "example.com", connect_to: "example.org" }, "connect_to"],
    ["an unknown protocol", { host: "example.com", protocol: "gopher" }, "protocol"],
    ["an interval of seconds", { host: "example.com", interval_seconds: 59 }, "interval_seconds"],
    ["a pin that is none", { host: "example.com", pins: ["abc"] }, "pins.0"],
    ["a tag with a space", { host: "example.com", tags: ["a b"] }, "tags.0"],
    ["another organization's trust store", { host: "example.com", trust_store_id: newId() }, "trust_store_id"],
    ["a control character", { host: "a\u0000b.test" }, "host"],
    ["no host", {}, "host"],
    ["port 0", { host: "example.com", port: 0 }, "port"],
    ["port 65536", { host: "example.com", port: 65_536 }, "port"],
    ["a port in words", { host: "example.com", port: "443" }, "port"],
    ["an address as server name", { host: "example.com", sni: "127.0.0.1" }, "sni"],
    ["an unknown field", { host: "example.com", hots: 1 }, "hots"],
  ])("refuses %s with an issue for the field", async (_what, body, path) => {
    const answer = await organization.admin.post(ENDPOINTS, body);
    expect(answer.status).toBe(400);
    expect(answer.error).toMatchObject({ code: "INVALID_REQUEST", issues: [{ path }] });
  });

  test("a target is unique in the organization", async () => {
    const port = await closedPort();
    await watch(port);
    const again = await organization.admin.post(ENDPOINTS, { host: "127.0.0.1", port });
    expect([again.status, again.error.code]).toEqual([409, "CONFLICT"]);
    await watch(port, { sni: "other.test" });
    const elsewhere = await (await newOrganization(server)).admin.post(ENDPOINTS, { host: "127.0.0.1", port });
    expect(elsewhere.status).toBe(201);
  });

  test("every write is recorded as a change of that endpoint", async () => {
    const created = await organization.admin.post<CertificateEndpointDetail>(ENDPOINTS, {
      host: "127.0.0.1",
      port: await closedPort(),
    });
    const { id } = created.data;
    const checked = await organization.admin.post(`${ENDPOINTS}/${id}/check`);
    const updated = await organization.admin.put(`${ENDPOINTS}/${id}`, { port: await closedPort() });
    const deleted = await organization.admin.delete(`${ENDPOINTS}/${id}`);
    for (const [answer, verb] of [
      [created, "create"],
      [checked, "check"],
      [updated, "update"],
      [deleted, "delete"],
    ] as const) {
      expect(await eventById(server, answer.requestId)).toMatchObject({
        action: `certificate_endpoint.${verb}`,
        resource_type: "certificate_endpoint",
        resource_id: id,
        status_code: answer.status,
      });
    }
    expect((await organization.admin.get(`${ENDPOINTS}/${id}`)).status).toBe(404);
  });
});

describe("repeated checks", () => {
  test("findings open and close, and a changed certificate is reported once", async () => {
    const [old, renewed] = await Promise.all([
      authority.leaf({ name: "localhost", sans: ["other.test"] }),
      authority.leaf({ name: "localhost", sans: ["localhost"] }),
    ]);
    let served = old;
    const testServer = keep(
      await serveTls([old, authority.intermediate], {
        SNICallback: (_name, done) =>
          done(null, createSecureContext({ key: served.keyPem, cert: served.pem + authority.intermediate.pem })),
      }),
    );
    const made = await watch(testServer.port, { host: "localhost" });
    expect(codes(made)).toEqual(["hostname_mismatch", "untrusted_root"]);
    served = renewed;
    const check = async () => {
      const answer = await organization.admin.post<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}/check`);
      expect(answer.status).toBe(200);
      return answer.data;
    };
    const changed = await check();
    expect(codes(changed)).toEqual(["untrusted_root", "names_removed", "certificate_changed"]);
    const change = { from: made.certificate?.sha256, to: changed.certificate?.sha256 };
    expect(changed.findings[1]?.evidence).toEqual({ ...change, names: ["other.test"] });
    expect(changed.findings[2]?.evidence).toEqual(change);
    expect(changed.findings[0]?.opened_at).toBe(made.findings[1]?.opened_at);
    // A change is shown for a day, and nothing is written while nothing changes.
    expect(await check()).toMatchObject({ findings: changed.findings });
    await query(
      server,
      "app",
      `UPDATE certificate_endpoints SET certificate_since = now() - interval '25 hours'
       WHERE organization_id = $1 AND id = $2`,
      [organization.id, made.id],
    );
    expect(codes(await check())).toEqual(["untrusted_root"]);
    expect(await history(made)).toEqual([
      { code: "hostname_mismatch", closed: true },
      { code: "untrusted_root", closed: false },
      { code: "certificate_changed", closed: true },
      { code: "names_removed", closed: true },
    ]);
    const sightings = await query<{ certificate_id: string; still: boolean }>(
      server,
      "app",
      `SELECT certificate_id, last_seen_at >= $3 AS still FROM certificate_sightings
       WHERE organization_id = $1 AND endpoint_id = $2 ORDER BY first_seen_at`,
      [organization.id, made.id, changed.last_checked_at],
    );
    expect(sightings).toEqual([
      { certificate_id: made.certificate?.id, still: false },
      { certificate_id: changed.certificate?.id, still: true },
    ]);
  });

  test("certificates that alternate are one finding, and those of each stay open", async () => {
    const sans = ["127.0.0.1"];
    const [stale, fresh] = [
      await authority.leaf({ sans, fromDays: -100, untilDays: -1 }),
      await authority.leaf({ sans: [...sans, "fresh.test"] }),
    ];
    let served = fresh;
    const context = () => createSecureContext({ key: served.keyPem, cert: served.pem + authority.intermediate.pem });
    const { port } = keep(await serveTls([fresh], { SNICallback: (_name, done) => done(null, context()) }));
    const made = await watch(port, { sni: "good.test" });
    const check = async (of: typeof stale) => {
      served = of;
      return (await organization.admin.post<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}/check`)).data;
    };
    const isExpired = (detail: CertificateEndpointDetail) => codes(detail).includes("expired");
    expect(isExpired(await check(stale))).toBe(true);
    expect(isExpired(await check(fresh))).toBe(false);
    const alternation = ({ findings }: CertificateEndpointDetail) =>
      findings.find(({ code }) => code === "certificates_alternate");
    const first = alternation(await check(stale));
    const endOf = (leaf: typeof stale) => ({ not_after: leaf.certificate.notAfter.toISOString() });
    expect(first).toMatchObject({
      severity: "warning",
      evidence: { address: "127.0.0.1", checks: 10, certificates: [endOf(fresh), endOf(stale)] },
    });
    const alternating = await check(fresh);
    expect(alternating.status).toBe("critical");
    expect(codes(alternating)).not.toContain("certificate_changed");
    expect(alternation(alternating)).toEqual(first);
    expect(isExpired(alternating)).toBe(true);
    expect(isExpired(await check(stale))).toBe(true);
    const opened = (await history(made)).filter(({ code }) => code === "expired");
    expect(opened).toEqual([true, false].map((closed) => ({ code: "expired", closed })));

    const change = { max_lifetime_days: 397 };
    const { data } = await organization.admin.put<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}`, change);
    expect(alternation(data)).toBeUndefined();
  });

  test("while an endpoint is unreachable, its certificate and findings stay", async () => {
    const leaf = await authority.leaf({ sans: ["127.0.0.1"] });
    const testServer = await serveTls([leaf, authority.intermediate]);
    const made = await watch(testServer.port);
    await testServer.close();
    const { data: lost } = await organization.admin.post<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}/check`);
    expect(lost).toMatchObject({ status: "unreachable", certificate: { sha256: made.certificate?.sha256 } });
    expect(codes(lost)).toEqual(["unreachable", "untrusted_root"]);
    expect(lost.served_chain).toEqual(made.served_chain);
    // It was last seen when checks began to fail.
    const seen = async () => {
      const { data } = await organization.read.get<Sighting[]>(`${ENDPOINTS}/${made.id}/history`);
      return data.map(({ last_seen_at, is_current }) => ({ last_seen_at, is_current }));
    };
    await organization.admin.post(`${ENDPOINTS}/${made.id}/check`);
    expect(await seen()).toEqual([{ last_seen_at: lost.last_checked_at, is_current: true }]);
    await organization.admin.put(`${ENDPOINTS}/${made.id}`, { port: await closedPort() });
    expect(await seen()).toEqual([{ last_seen_at: lost.last_checked_at, is_current: false }]);
  });

  test("another target starts over; omitted fields stay", async () => {
    const leaf = await authority.leaf({ sans: ["127.0.0.1"] });
    const made = await watch(keep(await serveTls([leaf, authority.intermediate])).port);
    const same = await organization.admin.put<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}`, {});
    expect(still(same.data)).toEqual(still(made));
    const port = await closedPort();
    const { data: moved } = await organization.admin.put<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}`, {
      port,
    });
    expect(moved).toMatchObject({ id: made.id, host: "127.0.0.1", port, certificate: null, served_chain: [] });
    expect(codes(moved)).toEqual(["unreachable"]);
    expect(await history(made)).toMatchObject([{ code: "untrusted_root", closed: true }, { closed: false }]);
    const forbidden = await organization.admin.put(`${ENDPOINTS}/${made.id}`, { host: "10.0.0.1" });
    expect(forbidden.error).toMatchObject({ code: "INVALID_REQUEST", issues: [{ path: "host" }] });
  });

  test("the worker checks due endpoints, without an event", async () => {
    const testServer = keep(await serveTls([await authority.leaf({ sans: ["127.0.0.1"] }), authority.intermediate]));
    const made = await watch(testServer.port);
    await makeDue(organization, made);
    const checked = await checkedAgain(organization, made);
    expect(checked).toMatchObject({ status: "critical", certificate: { id: made.certificate?.id } });
    expect(Date.parse(checked.next_check_at)).toBeGreaterThan(Date.now());
    const [sighting, ...others] = await query<{ first_seen_at: Date; last_seen_at: Date }>(
      server,
      "app",
      "SELECT first_seen_at, last_seen_at FROM certificate_sightings WHERE organization_id = $1 AND endpoint_id = $2",
      [organization.id, made.id],
    );
    expect(others).toEqual([]);
    expect(sighting?.first_seen_at.toISOString()).toBe(made.last_checked_at);
    // The endpoint's last check shows that it still exists: nothing is written if nothing changed.
    expect(sighting?.last_seen_at.toISOString()).toBe(made.last_checked_at);
    const scheduled = await query(
      server,
      "audit",
      "SELECT id FROM audit_events WHERE organization_id = $1 AND resource_id = $2 AND method IS NULL",
      [organization.id, made.id],
    );
    expect(scheduled).toEqual([]);
  });

  const stateOf = async ({ id }: { id: string }) => {
    const [row] = await query<{ last_checked_at: Date; next_check_at: Date; leased_until: Date | null }>(
      server,
      "app",
      "SELECT last_checked_at, next_check_at, leased_until FROM certificate_endpoints WHERE organization_id = $1 AND id = $2",
      [organization.id, id],
    );
    if (row === undefined) throw new Error("the endpoint is gone");
    return row;
  };

  test("an endpoint is checked although a process whose clock is a day ahead recorded its last check", async () => {
    const made = await watch(await closedPort());
    await query(
      server,
      "app",
      `UPDATE certificate_endpoints SET next_check_at = now(), last_checked_at = now() + interval '1 day'
       WHERE organization_id = $1 AND id = $2`,
      [organization.id, made.id],
    );
    const { next_check_at } = await until("it has been checked", async () => {
      const state = await stateOf(made);
      return state.last_checked_at.getTime() < Date.now() + 3_600_000 && state;
    });
    expect(next_check_at.getTime()).toBeLessThan(Date.now() + 86_400_000);
  });

  /** A check of an endpoint that failed, to be recorded. */
  async function failedCheck({ id }: { id: string }, observedAt = new Date()) {
    const endpoint = await readEndpointToCheck(organization.id, id);
    if (endpoint === null) throw new Error("the endpoint is gone");
    const failure = { kind: "unreachable", reason: "timeout", detail: null } as const;
    const timings = { dnsMs: null, connectMs: null, tlsMs: null };
    const failed: Observation = { observedAt, addresses: [], address: null, timings, outcome: "failed", failure };
    return toResult(endpoint, [failed]);
  }

  test("a check that came too late ends its lease", async () => {
    const made = await watch(await closedPort());
    await query(
      server,
      "app",
      `UPDATE certificate_endpoints SET next_check_at = now(), leased_until = now() + interval '1 day',
         last_checked_at = now() + interval '3 seconds' WHERE organization_id = $1 AND id = $2`,
      [organization.id, made.id],
    );
    await recordResults([await failedCheck(made, new Date(made.last_checked_at ?? ""))]);
    await until("its lease has ended", async () => (await stateOf(made)).leased_until === null);
  });

  test.each([
    ["another address mode", false, { address_mode: "all" }],
    ["other expectations", false, { max_lifetime_days: 47 }],
    ["other tags", true, { tags: ["other"] }],
  ])("a check that began before a bulk change to %s is recorded: %s", async (_, isRecorded, changed) => {
    const port = await closedPort();
    const made = await watch(port);
    const underWay = await failedCheck(made);
    const items = [{ host: "127.0.0.1", port, ...changed }];
    const { data } = await organization.admin.post<{ results: object[] }>(`${ENDPOINTS}/bulk`, { items });
    expect(data.results).toMatchObject([{ status: "updated" }]);
    await recordResults([underWay]);
    const recorded =
      "SELECT FROM certificate_endpoints WHERE organization_id = $1 AND id = $2 AND last_checked_at = $3";
    const { observedAt } = underWay.observations[0];
    expect(await query(server, "app", recorded, [organization.id, made.id, observedAt])).toHaveLength(
      Number(isRecorded),
    );
  });

  test("an endpoint whose worker died is due again after the lease", async () => {
    const made = await watch(await closedPort());
    await query(
      server,
      "app",
      `UPDATE certificate_endpoints SET next_check_at = now(), leased_until = now() + interval '2 seconds'
       WHERE organization_id = $1 AND id = $2`,
      [organization.id, made.id],
    );
    const [row] = await until("it has been looked at again", async () => {
      const rows = await query<{ last_checked_at: Date; leased_until: Date | null; failures: number }>(
        server,
        "app",
        "SELECT last_checked_at, leased_until, failures FROM certificate_endpoints WHERE organization_id = $1 AND id = $2",
        [organization.id, made.id],
      );
      return rows[0]?.failures === 2 && rows;
    });
    expect(row?.leased_until).toBeNull();
    expect(row && row.last_checked_at.getTime() - Date.parse(made.last_checked_at ?? "")).toBeGreaterThan(1_500);
  });
});

describe("the settings of an endpoint", () => {
  // Rate limits are per key, and this test needs many requests.
  let organization: Organization;
  const watch = async (port: number, input: object = {}) => {
    const body = { host: "127.0.0.1", port, ...input };
    const answer = await organization.admin.post<CertificateEndpointDetail>(ENDPOINTS, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.data;
  };

  beforeAll(async () => {
    organization = await newOrganization(server);
  });

  test("every field is stored, and an endpoint is identified by its target", async () => {
    const fields = {
      protocol: "smtp",
      sni: "smtp.test",
      connect_to: "127.0.0.1",
      address_mode: "all",
      interval_seconds: 300,
      tags: ["mail", "prod"],
      expected_issuers: ["Private Intermediate"],
      pins: ["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="],
      max_lifetime_days: 47,
    };
    const made = await watch(2525, { host: "mail.test", ...fields, tags: [" Prod", "mail", "prod"] });
    expect(made).toMatchObject({ host: "mail.test", port: 2525, trust_store_id: null, reported: false, ...fields });
    const { data } = await organization.admin.put<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}`, {
      tags: ["other"],
    });
    expect(data).toEqual({ ...made, tags: ["other"], updated_at: data.updated_at });
    for (const [more, status] of [
      [{ connect_to: "127.0.0.1" }, 409],
      [{ connect_to: "127.0.0.2" }, 201],
      [{}, 201],
    ] as const) {
      const target = { host: "mail.test", port: 2525, sni: "smtp.test", ...more };
      expect((await organization.admin.post(ENDPOINTS, target)).status).toBe(status);
    }
  });

  test("the default port is the protocol's", async () => {
    const { data } = await organization.admin.post<CertificateEndpointDetail>(ENDPOINTS, {
      host: "no-such-name.invalid",
      protocol: "ldap",
    });
    expect(data).toMatchObject({ port: 389, findings: [{ code: "dns_failure" }] });
  });

  test("a trust store makes a private authority trusted, until it is removed", async () => {
    const leaf = await authority.leaf({ sans: ["127.0.0.1"] });
    const stores = "/certificates/trust-stores";
    const store = await organization.admin.post<TrustStoreDetail>(stores, {
      name: "Cellar",
      pem: `# our own\n${authority.root.pem}`,
    });
    expect(store.data).toMatchObject({
      name: "Cellar",
      pem: authority.root.pem.replace(/\n+$/, "\n"),
      certificates: [{ subject: "CN=Private Root", not_after: authority.root.certificate.notAfter.toISOString() }],
      endpoint_count: 0,
    });
    const { port } = keep(await serveTls([leaf, authority.intermediate]));
    const made = await watch(port, { trust_store_id: store.data.id });
    expect(made).toMatchObject({ status: "ok", findings: [], trust_store_id: store.data.id, install_pem: null });
    expect(made.expected_chain.map(({ id }) => id)).toEqual(made.served_chain.map(({ id }) => id));
    const busy = await organization.admin.delete(`${stores}/${store.data.id}`);
    expect([busy.status, busy.error.code]).toEqual([409, "CONFLICT"]);

    const other = await makeAuthority("Other");
    await organization.admin.put(`${stores}/${store.data.id}`, { pem: other.root.pem });
    const found = `SELECT FROM certificate_findings WHERE organization_id = $1 AND endpoint_id = $2 AND code = 'untrusted_root'
      AND closed_at IS NULL`;
    await until("the worker has judged by the new certificates", async () => {
      return (await query(server, "app", found, [organization.id, made.id])).length > 0;
    });
    const freed = await organization.admin.put<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}`, {
      trust_store_id: null,
    });
    expect(freed.data).toMatchObject({ trust_store_id: null, status: "critical", expected_chain: [] });
    expect((await organization.admin.delete(`${stores}/${store.data.id}`)).status).toBe(200);
    expect((await organization.admin.get(`${stores}/${store.data.id}`)).status).toBe(404);
  });

  test.each([
    ["nothing", "", /at least one/],
    ["no PEM", "hello", /at least one/],
    [
      "something that is not a certificate",
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
      /cannot be parsed/,
    ],
    ["a private key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", /private key/],
  ])("as PEM refuses %s", async (_what, pem, message) => {
    for (const path of ["/certificates", "/certificates/trust-stores"]) {
      const body = path.endsWith("stores") ? { name: "Bad", pem } : { pem };
      const answer = await organization.admin.post(path, body);
      expect([answer.status, answer.error.issues?.[0]?.path]).toEqual([400, "pem"]);
      expect(answer.error.issues?.[0]?.message).toMatch(message);
    }
  });

  test("a misordered chain has the chain to install", async () => {
    const own = await makeAuthority("Orderly");
    const leaf = await own.leaf({ sans: ["127.0.0.1"] });
    const { data: store } = await organization.admin.post<TrustStoreDetail>("/certificates/trust-stores", {
      name: "Orderly",
      pem: own.root.pem,
    });
    const { port } = keep(await serveTls([leaf, own.root, own.intermediate]));
    const made = await watch(port, { trust_store_id: store.id });
    expect(codes(made)).toEqual(["chain_misordered"]);
    expect(made.expected_chain.map(({ subject }) => subject)).toEqual(["CN=good.test", "CN=Orderly Intermediate"]);
    const certificates = made.install_pem?.match(/-----BEGIN CERTIFICATE-----/g);
    expect(certificates).toHaveLength(2);
    expect(made.install_pem?.replace(/\s/g, "")).toBe((leaf.pem + own.intermediate.pem).replace(/\s/g, ""));
  });

  test("a certificate for clients alone is critical, whatever else is right about it", async () => {
    const own = await makeAuthority("Purposeful");
    const leaf = await own.leaf({ sans: ["127.0.0.1"], purposes: ["1.3.6.1.5.5.7.3.2"] });
    const { data: store } = await organization.admin.post<TrustStoreDetail>("/certificates/trust-stores", {
      name: "Purposeful",
      pem: own.root.pem,
    });
    const { port } = keep(await serveTls([leaf, own.intermediate]));
    expect(await watch(port, { trust_store_id: store.id })).toMatchObject({
      status: "critical",
      findings: [
        {
          code: "not_for_servers",
          severity: "critical",
          evidence: { subject: "CN=good.test", role: "server", extended_key_usages: ["client_auth"] },
        },
      ],
    });
  });

  test("what only OpenSSL refuses is critical, in its words", async () => {
    const own = await makeAuthority("Narrow", {
      // Only names with the organization "Other" are permitted.
      extensions: [{ oid: "2.5.29.30", critical: true, hex: "3018a0163014a4123010310e300c060355040a0c054f74686572" }],
    });
    const { data: store } = await organization.admin.post<TrustStoreDetail>("/certificates/trust-stores", {
      name: "Narrow",
      pem: own.root.pem,
    });
    const { port } = keep(await serveTls([await own.leaf({ sans: ["127.0.0.1"] }), own.intermediate]));
    expect(await watch(port, { trust_store_id: store.id })).toMatchObject({
      status: "critical",
      findings: [{ code: "path_refused", evidence: { reason: "permitted subtree violation" } }],
    });
  });

  test("a reported endpoint is judged, also again", async () => {
    const leaf = await authority.leaf({ sans: ["intranet.test"] });
    const body = { host: "10.0.0.1", sni: "intranet.test", reported: true };
    const { data: made } = await organization.admin.post<CertificateEndpointDetail>(ENDPOINTS, body);
    expect(made).toMatchObject({ status: "pending", last_checked_at: null, reported_at: null });
    const report = (pem: string) =>
      organization.admin.post<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}/report`, { pem });
    const { data: reported } = await report(leaf.pem + authority.intermediate.pem);
    expect(reported).toMatchObject({
      status: "critical",
      reachability: { state: "reachable" },
      certificate: { subject: "CN=good.test" },
      connection: null,
      addresses: [{ address: null, certificate_id: reported.certificate?.id }],
      reported_at: reported.last_checked_at,
    });
    expect(codes(reported)).toEqual(["untrusted_root"]);
    const { data: again } = await organization.admin.post<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}/check`);
    expect(again).toMatchObject({ reported_at: reported.reported_at, findings: reported.findings });
    const tooLong = await organization.admin.post(`${ENDPOINTS}/${made.id}/report`, { pem: leaf.pem.repeat(21) });
    expect([tooLong.status, tooLong.error.message]).toEqual([400, "pem: must contain at most 20 certificates"]);
    const watched = await watch(await closedPort());
    const refused = await organization.admin.post(`${ENDPOINTS}/${watched.id}/report`, { pem: leaf.pem });
    expect([refused.status, refused.error.code]).toEqual([409, "CONFLICT"]);
  });

  test("a changed reported endpoint is judged at once by its last report, and not excused from further ones", async () => {
    const body = { host: "10.0.0.2", sni: "intranet.test", reported: true };
    const { data: made } = await organization.admin.post<CertificateEndpointDetail>(ENDPOINTS, body);
    const change = async (input: object) =>
      (await organization.admin.put<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}`, input)).data;
    const pins = [Buffer.alloc(32).toString("base64")];
    // Nothing was reported yet.
    expect(await change({ pins })).toMatchObject({ status: "pending", next_check_at: made.next_check_at });
    await change({ pins: [] });
    const pem = (await authority.leaf({ sans: ["intranet.test"] })).pem + authority.intermediate.pem;
    const path = `${ENDPOINTS}/${made.id}/report`;
    const { data: reported } = await organization.admin.post<CertificateEndpointDetail>(path, { pem });
    await change({ pins });
    const judged = await checkedAgain(organization, reported);
    expect(codes(judged)).toEqual(["pin_mismatch", "untrusted_root"]);
    expect(judged).toMatchObject({ reachability: { state: "reachable" }, reported_at: reported.reported_at });
    const rarer = await change({ interval_seconds: 7_200 });
    expect(Date.parse(rarer.next_check_at) - Date.parse(rarer.updated_at)).toBe(2 * 7_200_000);
  });

  test("a newer certificate that is known but not served is reported, wherever it comes from", async () => {
    const old = await authority.leaf({ sans: ["127.0.0.1"], fromDays: -70, untilDays: 20 });
    const renewed = await authority.leaf({ sans: ["127.0.0.1", "more.test"], untilDays: 89 });
    const own = await newOrganization(server);
    const { port } = keep(await serveTls([old, authority.intermediate]));
    const { data: made } = await own.admin.post<CertificateEndpointDetail>(ENDPOINTS, { host: "127.0.0.1", port });
    expect(codes(made)).toContain("renewal_overdue");
    const { data: added } = await own.admin.post<CertificateDetail>("/certificates", { pem: renewed.pem });
    expect(added).toMatchObject({ sans: ["127.0.0.1", "more.test"], added_at: expect.any(String), endpoint_count: 0 });
    const { data: listed } = await own.read.get<Certificate[]>("/certificates");
    expect(listed.map(({ id }) => id)).toEqual([added.id, made.certificate?.id]);
    const { data: checked } = await own.admin.post<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}/check`);
    expect(codes(checked)).not.toContain("renewal_overdue");
    expect(checked.findings.find(({ code }) => code === "renewed_not_deployed")).toMatchObject({
      severity: "info",
      evidence: { served: { sha256: made.certificate?.sha256 }, newer: { id: added.id, sha256: added.sha256 } },
    });
  });

  test("the worker ignores a single failure, and dates a finding from the first", async () => {
    const testServer = await serveTls([await authority.leaf({ sans: ["127.0.0.1"] }), authority.intermediate]);
    const made = await watch(testServer.port);
    await testServer.close();
    const failed = async (failures: number) => {
      await makeDue(organization, made);
      return until(`the worker has failed ${failures} times`, async () => {
        const rows = await query<{ failures: number; failing_since: Date }>(
          server,
          "app",
          "SELECT failures, failing_since FROM certificate_endpoints WHERE organization_id = $1 AND id = $2",
          [organization.id, made.id],
        );
        return rows[0]?.failures === failures && rows[0];
      });
    };
    const first = await failed(1);
    const { data: once } = await organization.admin.get<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}`);
    expect(once).toMatchObject({ status: made.status, findings: made.findings, reachability: made.reachability });
    expect(Date.parse(once.next_check_at) - Date.now()).toBeLessThan(70_000);
    await failed(2);
    const { data: twice } = await organization.admin.get<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}`);
    const since = first.failing_since.toISOString();
    expect(twice).toMatchObject({ status: "unreachable", reachability: { state: "unreachable", since } });
    expect(twice.findings[0]).toMatchObject({ code: "unreachable", opened_at: since });
  });
});

describe("certificates", () => {
  let own: Organization;
  let leaf: Awaited<ReturnType<Authority["leaf"]>>;
  const endpoints: CertificateEndpointDetail[] = [];

  beforeAll(async () => {
    own = await newOrganization(server);
    leaf = await authority.leaf({ name: "shared.test", sans: ["127.0.0.1"] });
    const stranger = await makeCertificate({ name: "Stranger", ca: true });
    for (const chain of [
      [leaf, authority.intermediate],
      [leaf, stranger],
    ]) {
      const { port } = keep(await serveTls(chain));
      endpoints.push((await own.admin.post<CertificateEndpointDetail>(ENDPOINTS, { host: "127.0.0.1", port })).data);
    }
  });

  test("each is listed once, with its endpoints and their findings", async () => {
    const { data, pagination } = await own.read.get<Certificate[]>("/certificates");
    expect(pagination).toEqual({ next_cursor: null, has_more: false });
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ subject: "CN=shared.test", sans: ["127.0.0.1"], endpoint_count: 2 });
    expect(data[0]?.endpoints.map(({ id }) => id).sort()).toEqual(endpoints.map(({ id }) => id).sort());
    const found = data[0]?.chain_findings.map(({ code, severity, endpoint_count }) => [code, severity, endpoint_count]);
    expect(found).toEqual([
      ["chain_incomplete", "critical", 1],
      ["untrusted_root", "critical", 2],
      ["chain_extra", "info", 1],
    ]);
  });

  test("a certificate has PEM and chain; issuers can be read too", async () => {
    const [first] = endpoints;
    const { data } = await own.read.get<CertificateDetail>(`/certificates/${first?.certificate?.id}`);
    expect(data.pem.replace(/\s/g, "")).toBe(leaf.pem.replace(/\s/g, ""));
    expect(data.chain[0]).toMatchObject({ id: data.id, pem: data.pem });
    expect(data.chain).toHaveLength(2);
    const issuer = await own.read.get<CertificateDetail>(`/certificates/${first?.served_chain[1]?.id}`);
    expect(issuer.data).toMatchObject({ is_ca: true, endpoints: [], endpoint_count: 0, chain: [{ is_ca: true }] });
  });

  test("pages have no gaps and no duplicates", async () => {
    const organization = await newOrganization(server);
    const ports = await Promise.all(Array.from({ length: 5 }, () => closedPort()));
    for (const port of ports) await organization.admin.post(ENDPOINTS, { host: "127.0.0.1", port });
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const more: string = cursor === null ? "" : `&cursor=${cursor}`;
      const answer = await organization.read.get<CertificateEndpointDetail[]>(`${ENDPOINTS}?limit=2${more}`);
      seen.push(...answer.data.map(({ port }) => port));
      cursor = answer.pagination.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(ports.toReversed());
    const other = await organization.read.get(`/certificates?cursor=${Buffer.from("[]").toString("base64url")}`);
    expect(other.error).toMatchObject({ code: "INVALID_REQUEST", issues: [{ path: "cursor" }] });
  });

  test("belong to their organization", async () => {
    const [endpoint] = endpoints;
    for (const id of [endpoint?.id, newId()]) {
      expect((await organization.admin.get(`${ENDPOINTS}/${id}`)).status).toBe(404);
      expect((await organization.admin.put(`${ENDPOINTS}/${id}`, { port: 1 })).status).toBe(404);
      expect((await organization.admin.delete(`${ENDPOINTS}/${id}`)).status).toBe(404);
      expect((await organization.admin.post(`${ENDPOINTS}/${id}/check`)).status).toBe(404);
    }
    expect((await organization.admin.get(`/certificates/${endpoint?.certificate?.id}`)).status).toBe(404);
  });

  test("an organization is deleted with its endpoints and certificates", async () => {
    await query(server, "app", "DELETE FROM organizations WHERE id = $1", [own.id]);
    for (const table of ["certificates", "certificate_endpoints", "certificate_sightings", "certificate_findings"]) {
      expect(await query(server, "app", `SELECT 1 FROM ${table} WHERE organization_id = $1`, [own.id])).toEqual([]);
    }
  });
});
