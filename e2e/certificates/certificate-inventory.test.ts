import { createSecureContext } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAgent } from "@/e2e/support/agent";
import { anonymous } from "@/e2e/support/api";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import {
  type Authority,
  makeAuthority,
  makeCertificate,
  type TestCertificate,
} from "@/e2e/support/stand-ins/test-certificates";
import { closedPort, serveTls, type TestServer } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import type {
  Certificate,
  CertificateDetail,
  CertificateEndpoint,
  CertificateEndpointDetail,
} from "@/lib/certificates/contract";
import type { EndpointBulkResult, EndpointImportResult } from "@/lib/certificates/endpoints/bulk-contract";
import type { CertificatePlace, FindingAt, Sighting } from "@/lib/certificates/history-contract";
import { newId } from "@/lib/ids";
import { plans } from "@/lib/plans";

const server = sharedServer();
const ENDPOINTS = "/certificates/endpoints";
const SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
const CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
let organization: Organization;
let authority: Authority;
const testServers: TestServer[] = [];

beforeAll(async () => {
  [organization, authority] = await Promise.all([newOrganization(server), makeAuthority("Inventory")]);
});

afterAll(() => Promise.all(testServers.map(({ close }) => close())));

function keep(testServer: TestServer): TestServer {
  testServers.push(testServer);
  return testServer;
}

async function watch(port: number, input: object = {}, own = organization): Promise<CertificateEndpointDetail> {
  const body = { host: "127.0.0.1", port, ...input };
  const answer = await own.admin.post<CertificateEndpointDetail>(ENDPOINTS, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

/** Waits until the worker has checked an endpoint. Looks into the database, because polling would exceed the rate limit. */
async function checkedSince(own: Organization, id: string | null | undefined, since: string | null): Promise<void> {
  const text = `SELECT FROM certificate_endpoints WHERE organization_id = $1 AND id = $2
    AND last_checked_at > coalesce($3::timestamptz, '-infinity')`;
  await until("the worker has looked", async () => (await query(server, "app", text, [own.id, id, since])).length > 0);
}

function plain(pem: string): string {
  return pem.replace(/\s/g, "");
}

describe("history", () => {
  let own: Organization;
  let made: CertificateEndpointDetail;
  let changed: CertificateEndpointDetail;

  beforeAll(async () => {
    own = await newOrganization(server);
    const old = await authority.leaf({ sans: ["localhost", "old.test"], untilDays: 44 });
    const renewed = await authority.leaf({ sans: ["localhost", "new.test"], keysOf: old });
    let served = old;
    const { port } = keep(
      await serveTls([old, authority.intermediate], {
        SNICallback: (_name, done) =>
          done(null, createSecureContext({ key: served.keyPem, cert: served.pem + authority.intermediate.pem })),
      }),
    );
    made = await watch(port, { host: "localhost" }, own);
    served = renewed;
    changed = (await own.admin.post<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}/check`)).data;
  });

  test("of an endpoint shows each change", async () => {
    const { data } = await own.read.get<Sighting[]>(`${ENDPOINTS}/${made.id}/history`);
    expect(data).toMatchObject([
      {
        address: "127.0.0.1",
        certificate: { id: changed.certificate?.id },
        first_seen_at: changed.last_checked_at,
        last_seen_at: changed.last_checked_at,
        is_current: true,
        changes: {
          from: { id: made.certificate?.id },
          names_added: ["new.test"],
          names_removed: ["old.test"],
          is_issuer_changed: false,
          is_key_changed: false,
        },
      },
      {
        certificate: { id: made.certificate?.id },
        first_seen_at: made.last_checked_at,
        last_seen_at: made.last_checked_at,
        is_current: false,
        changes: null,
      },
    ]);
    expect(data[0]?.changes?.from_left_share).toBeCloseTo(44 / 45, 2);
  });

  test("comes in pages", async () => {
    const path = `${ENDPOINTS}/${made.id}/history?limit=1`;
    const first = await own.read.get<Sighting[]>(path);
    const next = first.pagination.next_cursor;
    const second = await own.read.get<Sighting[]>(`${path}&cursor=${next}`);
    expect([first.data[0], second.data[0]].map((each) => each?.certificate.id)).toEqual([
      changed.certificate?.id,
      made.certificate?.id,
    ]);
    expect(second.pagination.has_more).toBe(false);
    const other = await own.read.get(`/certificates/${made.certificate?.id}/history?cursor=${next}`);
    expect(other.error).toMatchObject({ code: "INVALID_REQUEST", issues: [{ path: "cursor" }] });
  });

  test("of a certificate shows where it was served", async () => {
    const { data } = await own.read.get<CertificatePlace[]>(`/certificates/${made.certificate?.id}/history`);
    expect(data).toEqual([
      {
        address: "127.0.0.1",
        first_seen_at: made.last_checked_at,
        last_seen_at: made.last_checked_at,
        is_current: false,
        endpoint: { id: made.id, host: "localhost", port: made.port, sni: null },
      },
    ]);
  });

  test("findings keep when they opened and closed", async () => {
    const { data: trusted } = await own.admin.post<{ id: string }>("/certificates/trust-stores", {
      name: "Ours",
      pem: authority.root.pem,
    });
    await own.admin.put(`${ENDPOINTS}/${made.id}`, { trust_store_id: trusted.id });
    const read = async (query: string) =>
      (await own.read.get<FindingAt[]>(`/certificates/findings?endpoint_id=${made.id}&${query}`)).data;
    const closed = await read("open=false");
    expect(closed).toMatchObject([
      {
        code: "untrusted_root",
        severity: "critical",
        evidence: { subject: "CN=Inventory Root" },
        opened_at: made.last_checked_at,
        closed_at: expect.any(String),
        endpoint: { id: made.id, host: "localhost" },
      },
    ]);
    const open = await read("open=true");
    expect(open.map(({ code }) => code).sort()).toEqual(["certificate_changed", "key_reused", "names_removed"]);
    expect(open.every(({ closed_at }) => closed_at === null)).toBe(true);
    expect(
      (await read("code=key_reused&severity=info")).length + (await read("code=key_reused&severity=warning")).length,
    ).toBe(1);
  });
});

describe("inventory", () => {
  let own: Organization;
  let leaves: Record<"short" | "long" | "rsa" | "gone", TestCertificate>;
  let ids: Record<string, string>;

  beforeAll(async () => {
    own = await newOrganization(server);
    const wild = { sans: ["*.wild.test"], untilDays: 20 };
    leaves = {
      short: await authority.leaf({ name: "short", ...wild, purposes: [SERVER_AUTH, CLIENT_AUTH] }),
      long: await authority.leaf({ name: "long", sans: ["127.0.0.1"], untilDays: 80, purposes: [SERVER_AUTH] }),
      rsa: await makeCertificate({ name: "rsa", sans: ["rsa.test"], key: "RSA-2048" }),
      gone: await authority.leaf({ name: "gone", sans: ["gone.test"], untilDays: 50 }),
    };
    await own.admin.post("/certificates", { pem: leaves.gone.pem });
    for (const leaf of [leaves.short, leaves.long, leaves.rsa]) {
      await watch(keep(await serveTls([leaf, authority.intermediate])).port, {}, own);
    }
    const { data } = await own.read.get<Certificate[]>("/certificates");
    ids = Object.fromEntries(data.map(({ common_name, id }) => [common_name ?? "", id]));
    expect(Object.keys(ids).sort()).toEqual(["gone", "long", "rsa", "short"]);
  });

  const names = async (query: string) => {
    const answer = await own.read.get<Certificate[]>(`/certificates?${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.data.map(({ common_name }) => common_name);
  };
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  test("has certificates whose names and serial numbers are too long for an index, cut", async () => {
    const hex = (bytes: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex");
    const [name, serial] = [`${hex(2_000)}.test`, `7f${hex(2_000)}`];
    const other = await newOrganization(server);
    const leaf = await authority.leaf({ name: "endless", sans: ["127.0.0.1", name], serial });
    const submitted = await other.admin.post("/certificates", { pem: leaf.pem });
    expect(submitted.status, submitted.text).toBe(201);
    const seen = await watch(keep(await serveTls([leaf, authority.intermediate])).port, {}, other);
    const stored = await other.read.get<CertificateDetail>(`/certificates/${seen.certificate?.id}`);
    expect(stored.data).toMatchObject({
      common_name: "endless",
      sans: ["127.0.0.1", `${name.slice(0, 1_000)}…`],
      serial_number: serial.slice(0, 1_000),
      endpoints: [{ id: seen.id }],
    });
  });

  test("can be filtered by what they may be used for", async () => {
    expect(await names("usage=client_auth")).toEqual(["short"]);
    expect(await names("usage=server_auth&sort=expiry")).toEqual(["short", "long"]);
    expect(await names("usage=client_auth&unused=true")).toEqual([]);
    expect(await names("usage=1.2.3.4")).toEqual([]);
    const stranger = await newOrganization(server);
    expect((await stranger.read.get<Certificate[]>("/certificates?usage=client_auth")).data).toEqual([]);
    const json = await own.read.get("/certificates/export?format=json&usage=client_auth");
    expect(JSON.parse(json.text)).toMatchObject([
      { common_name: "short", key_usages: "digital_signature", extended_key_usages: "server_auth client_auth" },
    ]);
  });

  test("have their usages, and in detail their other extensions", async () => {
    const { data } = await own.read.get<CertificateDetail>(`/certificates/${ids.short}`);
    const unset = {
      path_length: null,
      must_staple: false,
      policies: [],
      subject_key_id: null,
      authority_key_id: null,
      timestamps: [],
    };
    expect(data).toMatchObject({
      key_usages: ["digital_signature"],
      extended_key_usages: ["server_auth", "client_auth"],
      extensions: unset,
      chain: [
        { extensions: unset },
        { key_usages: ["key_cert_sign", "crl_sign"], extended_key_usages: [], extensions: unset },
      ],
    });
    const [endpoint] = (await own.read.get<CertificateEndpoint[]>(`${ENDPOINTS}?certificate_id=${ids.short}`)).data;
    expect(endpoint?.certificate).toMatchObject({ extended_key_usages: ["server_auth", "client_auth"] });
    const detail = await own.read.get<CertificateEndpointDetail>(`${ENDPOINTS}/${endpoint?.id}`);
    expect(detail.data.served_chain).toMatchObject([{ extensions: unset }, { extensions: unset }]);
  });

  test("can be filtered by expiry, issuer, key, name, finding and use", async () => {
    expect(await names(`expires_before=${inDays(30)}`)).toEqual(["short"]);
    expect(await names(`expires_after=${inDays(60)}&issuer=inventory`)).toEqual(["long"]);
    expect(await names("issuer=CN=rsa")).toEqual(["rsa"]);
    expect(await names("key_type=rsa-2048")).toEqual(["rsa"]);
    expect(await names("key_type=rsa-4096")).toEqual([]);
    expect(await names("key_type=rsa-4294967296")).toEqual([]);
    expect(await names("key_type=ec&unused=false&sort=expiry")).toEqual(["short", "long"]);
    expect(await names("name=A.wild.test")).toEqual(["short"]);
    expect(await names("name=a.b.wild.test")).toEqual([]);
    expect(await names("name=127.0.0.1")).toEqual(["long"]);
    expect(await names("finding=self_signed")).toEqual(["rsa"]);
    expect(await names("unused=true")).toEqual(["gone"]);
    const { data } = await own.read.get<CertificateDetail>(`/certificates/${ids.long}`);
    const fingerprint = data.sha256.toUpperCase().replace(/..(?=.)/g, "$&:");
    expect(await names(`sha256=${fingerprint}`)).toEqual(["long"]);
  });

  test("by expiry comes in pages, each bound to its filters", async () => {
    const seen: (string | null)[] = [];
    let cursor: string | null = null;
    do {
      const more: string = cursor === null ? "" : `&cursor=${cursor}`;
      const answer = await own.read.get<Certificate[]>(`/certificates?sort=expiry&limit=1${more}`);
      seen.push(...answer.data.map(({ common_name }) => common_name));
      cursor = answer.pagination.next_cursor;
      if (cursor !== null) expect((await own.read.get(`/certificates?limit=1&cursor=${cursor}`)).status).toBe(400);
    } while (cursor !== null);
    expect(seen).toEqual(["short", "gone", "long", "rsa"]);
  });

  test.each([
    ["expires_before=tomorrow", "expires_before"],
    ["sha256=abc", "sha256"],
    ["finding=bad_luck", "finding"],
    ["unused=maybe", "unused"],
    ["name=", "name"],
    ["usage=teapot", "usage"],
    ["usage=toString", "usage"],
    [`usage=1.${"2.".repeat(100)}3`, "usage"],
  ])("refuses %s with an issue for it", async (query, path) => {
    const answer = await own.read.get(`/certificates?${query}`);
    expect(answer.error).toMatchObject({ code: "INVALID_REQUEST", issues: [{ path }] });
  });

  test("can be downloaded as PEM, chain and DER", async () => {
    const get = (format: string) => own.read.get(`/certificates/${ids.long}/download?format=${format}`);
    const pem = await get("pem");
    expect(plain(pem.text)).toBe(plain(leaves.long.pem));
    expect(pem.header("content-disposition")).toBe('attachment; filename="long.pem"');
    expect(plain((await get("chain")).text)).toBe(plain(leaves.long.pem + authority.intermediate.pem));
    const der = await get("der");
    expect(der.header("content-type")).toBe("application/pkix-cert");
    expect(der.text).toBe(leaves.long.der.toString());
  });

  test("is exported completely, as CSV and as JSON", async () => {
    const json = await own.read.get("/certificates/export?format=json&key_type=ec");
    expect(json.header("content-disposition")).toMatch(
      /^attachment; filename="sealwatch-certificates-\d{4}-\d\d-\d\d\.json"$/,
    );
    const rows = JSON.parse(json.text) as { common_name: string; endpoint_count: number; sans: string }[];
    expect(rows.map(({ common_name, endpoint_count }) => [common_name, endpoint_count]).sort()).toEqual([
      ["gone", 0],
      ["long", 1],
      ["short", 1],
    ]);
    const csv = await own.read.get("/certificates/export?format=csv");
    const [header, ...lines] = csv.text.trimEnd().split("\r\n");
    expect(header).toMatch(/^id,sha256,common_name,/);
    expect(lines).toHaveLength(4);
    const forExcel = await own.read.get("/certificates/export?format=csv&bom=true");
    expect(forExcel.text).toBe(`\uFEFF${csv.text}`);
    const refused = await own.read.get("/certificates/export?format=json&bom=true");
    expect(refused.error).toMatchObject({ code: "INVALID_REQUEST", issues: [{ path: "bom" }] });
  });
});

describe("many endpoints", () => {
  const bulk = async (own: Organization, body: object) => {
    const answer = await own.admin.post<{ dry_run: boolean; results: EndpointBulkResult[] }>(`${ENDPOINTS}/bulk`, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.data.results;
  };

  test("are added and changed by target; the worker checks them", async () => {
    const own = await newOrganization(server);
    const { port } = keep(await serveTls([await authority.leaf({ sans: ["127.0.0.1"] }), authority.intermediate]));
    const items = [
      { host: "127.0.0.1", port, tags: ["new"], interval_seconds: 600 },
      { host: "127.0.0.1", port },
      { host: "10.0.0.1" },
      { host: "https://x/" },
      { host: "example.com", trust_store_id: newId() },
      "example.com",
    ];
    const expected = [
      [0, "created", null],
      [1, "failed", "host: occurs twice in this request with the same port, sni and connect_to"],
      [2, "failed", expect.stringContaining("host: is in a network")],
      [3, "failed", expect.stringContaining("host:")],
      [4, "failed", "trust_store_id: is not the id of a trust store of this organization"],
      [5, "failed", expect.any(String)],
    ];
    const outcomes = (results: EndpointBulkResult[]) =>
      results.map(({ index, status, error }) => [index, status, error]);
    expect(outcomes(await bulk(own, { items, dry_run: true }))).toEqual(expected);
    expect((await own.read.get<unknown[]>(ENDPOINTS)).data).toEqual([]);
    const made = await bulk(own, { items });
    expect(outcomes(made)).toEqual(expected);
    const path = `${ENDPOINTS}/${made[0]?.id}`;
    await checkedSince(own, made[0]?.id, null);
    const { data: seen } = await own.read.get<CertificateEndpointDetail>(path);
    expect(seen).toMatchObject({ tags: ["new"], interval_seconds: 600, certificate: { common_name: "good.test" } });

    const again = await bulk(own, { items: [{ host: "127.0.0.1", port, tags: ["other"] }] });
    expect(again).toMatchObject([{ status: "updated", id: made[0]?.id }]);
    expect((await own.read.get<CertificateEndpoint>(path)).data).toMatchObject({
      tags: ["other"],
      interval_seconds: 600,
    });
    expect(await bulk(own, { items: [{ host: "127.0.0.1", port }] })).toMatchObject([{ status: "unchanged" }]);
  });

  test("are judged with what they already have, and one that does not fit fails alone", async () => {
    const own = await newOrganization(server);
    const agent_id = (await newAgent(own)).id;
    const add = async (host: string) =>
      (await own.admin.post<CertificateEndpoint>(ENDPOINTS, { host, agent_id, interval_seconds: 86_400 })).data.id;
    const [inside, moved] = [await add("10.9.9.1"), await add("10.9.9.2")];
    const results = await bulk(own, {
      items: [
        { host: "10.9.9.1", tags: ["inside"] },
        { host: "10.9.9.2", port: 443, protocol: "smtp" },
        { host: "10.9.9.3" },
        { host: "10.9.9.4", reported: true },
      ],
    });
    expect(results).toMatchObject([
      { status: "updated", id: inside, error: null },
      { status: "failed", id: null, error: expect.stringContaining("agent_id: must be null") },
      { status: "failed", id: null, error: expect.stringContaining("host: is in a network") },
      { status: "created", error: null },
    ]);

    // As an endpoint of an installation that no longer probes its network.
    const forget = "UPDATE certificate_endpoints SET agent_id = NULL WHERE organization_id = $1 AND id = $2";
    await query(server, "app", forget, [own.id, inside]);
    const tagged = await own.admin.post(`${ENDPOINTS}/bulk/update`, { ids: [inside, moved], add_tags: ["more"] });
    expect(tagged.data).toMatchObject({ results: [{ status: "updated" }, { status: "updated" }] });
    expect((await own.admin.put(`${ENDPOINTS}/${inside}`, { host: "10.9.9.1", tags: [] })).status).toBe(200);
    expect((await own.admin.put(`${ENDPOINTS}/${inside}`, { host: "10.9.9.5" })).error).toMatchObject({
      code: "INVALID_REQUEST",
      issues: [{ path: "host" }],
    });
  });

  test("are limited by number and by plan, before any change", async () => {
    const own = await newOrganization(server);
    const some = (count: number) => Array.from({ length: count }, (_, n) => ({ host: `n${n}.invalid` }));
    const many = await own.admin.post(`${ENDPOINTS}/bulk`, { items: some(1001) });
    expect(many.error).toMatchObject({ code: "INVALID_REQUEST", issues: [{ path: "items" }] });
    const beyond = await own.admin.post(`${ENDPOINTS}/bulk`, { items: some(101) });
    expect(beyond.error).toMatchObject({ code: "PLAN_LIMIT_REACHED", limit: 100, used: 0 });
    expect((await own.read.get<unknown[]>(ENDPOINTS)).data).toEqual([]);
    await bulk(own, { items: some(100) });
    const one = await own.admin.post(ENDPOINTS, { host: "one.invalid" });
    expect([one.status, one.error.code]).toEqual([402, "PLAN_LIMIT_REACHED"]);
    expect(await bulk(own, { items: some(100) })).toHaveLength(100);
  });

  test("a repetition with the same key gets the first answer", async () => {
    const own = await newOrganization(server);
    const body = { items: [{ host: "once.invalid" }] };
    const headers = { "idempotency-key": newId() };
    const [first, second] = [
      await own.admin.post<{ results: unknown }>(`${ENDPOINTS}/bulk`, body, { headers }),
      await own.admin.post<{ results: unknown }>(`${ENDPOINTS}/bulk`, body, { headers }),
    ];
    expect(second.data).toEqual(first.data);
    const other = await own.admin.post(`${ENDPOINTS}/bulk`, { items: [{ host: "other.invalid" }] }, { headers });
    expect(other.error.code).toBe("CONFLICT");
  });

  test("are queued for a check by id or tag, and not counted against the limit", async () => {
    const own = await newOrganization(server);
    const made = await watch(await closedPort(), { tags: ["edge"] }, own);
    await watch(await closedPort(), {}, own);
    const queue = () => own.admin.post<{ queued: number }>(`${ENDPOINTS}/bulk/check`, { tag: "edge" });
    // It was checked less than the plan's shortest interval ago.
    expect((await queue()).data).toEqual({ queued: 0 });
    const earlier = `UPDATE certificate_endpoints SET last_checked_at = last_checked_at - make_interval(secs => $2)
      WHERE id = $1 RETURNING id`;
    await query(server, "app", earlier, [made.id, plans.free.shortestIntervalSeconds]);
    const answer = await queue();
    expect(answer.data).toEqual({ queued: 1 });
    expect(answer.header("x-ratelimit-remaining")).toBe("100");
    await checkedSince(own, made.id, made.last_checked_at);
    const both = await own.admin.post(`${ENDPOINTS}/bulk/check`, { tag: "edge", ids: [made.id] });
    expect(both.error).toMatchObject({ issues: [{ path: "ids" }] });
  });

  test("are imported from lines, with one result per line, and exported as a CSV that can be imported", async () => {
    const [own, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
    const imported = async ({ admin }: Organization, body: object) => {
      const answer = await admin.post<{ results: EndpointImportResult[] }>(`${ENDPOINTS}/bulk/import`, body);
      expect(answer.status, answer.text).toBe(200);
      return answer.data.results;
    };
    const text = "# ours\na.invalid\nsmtp://b.invalid:2525 # mail\nftp://\ngopher://c.invalid\n";
    const defaults = { tags: ["imported"], interval_seconds: 1800 };
    const results = await imported(own, { format: "lines", text, defaults });
    expect(results.map(({ line, target, status, error }) => [line, target, status, error])).toEqual([
      [2, "a.invalid", "created", null],
      [3, "smtp://b.invalid:2525", "created", null],
      [4, "ftp://", "failed", expect.stringContaining("host:")],
      [5, "gopher://c.invalid", "failed", expect.stringContaining("protocol: must be one of")],
    ]);
    const { data } = await own.read.get<CertificateEndpoint[]>(`${ENDPOINTS}?tag=Imported&q=B.inv`);
    expect(data).toMatchObject([{ host: "b.invalid", port: 2525, protocol: "smtp", ...defaults }]);
    const csv = await own.read.get(`${ENDPOINTS}/export?format=csv`);
    expect(await imported(other, { format: "csv", text: csv.text })).toMatchObject([
      { line: 2, status: "created" },
      { line: 3, status: "created" },
    ]);
    const forExcel = await own.read.get(`${ENDPOINTS}/export?format=csv&bom=true`);
    expect(forExcel.text).toBe(`\uFEFF${csv.text}`);
    expect(await imported(own, { format: "csv", text: forExcel.text })).toMatchObject([
      { status: "unchanged" },
      { status: "unchanged" },
    ]);
    const bad = await own.admin.post(`${ENDPOINTS}/bulk/import`, { format: "csv", text: "name\nx\n" });
    expect(bad.error).toMatchObject({ code: "INVALID_REQUEST", issues: [{ path: "text" }] });
  });

  test("keep how they are judged in a CSV that is imported again", async () => {
    const [own, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
    const judged = {
      trust_store_id: null,
      expected_issuers: ["Let's Encrypt", "DigiCert, Inc."],
      expected_accounts: ["https://acme.example/acct/1"],
      pins: [`${"A".repeat(43)}=`],
    };
    const made = await own.admin.post<CertificateEndpoint>(ENDPOINTS, { host: "judged.invalid", ...judged });
    expect(made.data).toMatchObject(judged);
    const store = { name: "Ours", pem: authority.root.pem, is_default: true };
    expect((await other.admin.post("/certificates/trust-stores", store)).status).toBe(201);
    const { text } = await own.read.get(`${ENDPOINTS}/export?format=csv`);
    const body = { format: "csv", text };
    const imported = await other.admin.post<{ results: EndpointImportResult[] }>(`${ENDPOINTS}/bulk/import`, body);
    expect(imported.data.results).toMatchObject([{ status: "created", error: null }]);
    const json = await other.read.get(`${ENDPOINTS}/export?format=json`);
    expect(JSON.parse(json.text)).toMatchObject([judged]);
  });

  test("can be filtered by state, finding and certificate", async () => {
    const own = await newOrganization(server);
    const lost = await watch(await closedPort(), {}, own);
    const { port } = keep(await serveTls([await makeCertificate({ name: "self", sans: ["127.0.0.1"] })]));
    const self = await watch(port, {}, own);
    const ids = async (query: string) =>
      (await own.read.get<CertificateEndpoint[]>(`${ENDPOINTS}?${query}`)).data.map(({ id }) => id);
    expect(await ids("status=unreachable")).toEqual([lost.id]);
    expect(await ids("finding=self_signed")).toEqual([self.id]);
    expect(await ids(`certificate_id=${self.certificate?.id}`)).toEqual([self.id]);
    expect(await ids("status=ok")).toEqual([]);
  });
});

test("the event of a calendar names a caller only of the same organization", async () => {
  const [own, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
  const { data } = await own.admin.post<{ url: string }>("/certificates/calendars", { name: "Calendar" });
  const { pathname, search } = new URL(data.url);
  const feed = pathname.replace("/api/v1", "") + search;
  const event = async (by: Organization) => eventById(server, (await by.read.get(feed)).requestId);
  expect(await event(own)).toMatchObject({ organization_id: own.id, api_key_id: own.readKey.id });
  expect(await event(other)).toMatchObject({
    ...{ organization_id: own.id, status_code: 200, auth_type: "anonymous" },
    ...{ api_key_id: null, api_key_name: null, api_key_hint: null, user_id: null, user_name: null, user_email: null },
  });
});

test("a calendar shows expirations until its address is revoked", async () => {
  const own = await newOrganization(server);
  const leaf = await authority.leaf({ name: "calendar.test", sans: ["127.0.0.1"], untilDays: 40 });
  const { port } = keep(await serveTls([leaf, authority.intermediate]));
  const seen = await watch(port, { tags: ["edge"] }, own);
  await watch(keep(await serveTls([await authority.leaf({ name: "other" })])).port, {}, own);
  const made = await own.admin.post<{ id: string; url: string }>("/certificates/calendars", {
    name: "Edge",
    tag: "edge",
  });
  expect(made.status).toBe(201);
  const url = new URL(made.data.url);
  const ask = async (search = url.search) => {
    const caller = anonymous(server);
    return caller.get(url.pathname.replace("/api/v1", "") + search);
  };
  const feed = await ask();
  expect([feed.status, feed.header("content-type")]).toEqual([200, "text/calendar; charset=utf-8"]);
  const expiry = leaf.certificate.notAfter.toISOString().replace(/[-:]|\.000/g, "");
  expect(feed.text.split("\r\n").filter((line) => /^(UID|DTSTART|SUMMARY)/.test(line))).toEqual([
    `UID:${seen.certificate?.id}@sealwatch`,
    `DTSTART:${expiry}`,
    "SUMMARY:Certificate expires: calendar.test",
  ]);
  expect(feed.text.replaceAll("\r\n ", "")).toContain(`127.0.0.1:${port}`);
  expect(await eventById(server, feed.requestId)).toMatchObject({
    organization_id: own.id,
    action: "certificate_calendar.feed",
    resource_id: made.data.id,
  });
  expect((await own.read.get<object[]>("/certificates/calendars")).data).toEqual([
    {
      ...{ id: made.data.id, name: "Edge", tag: "edge", owner: null, shows: "expirations" },
      created_at: expect.any(String),
    },
  ]);
  const forged = url.search.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  expect((await ask(forged)).status).toBe(404);
  expect((await ask("")).status).toBe(400);
  await query(
    server,
    "app",
    `INSERT INTO certificate_calendars (organization_id, id, name, shows, created_at)
     SELECT $1, gen_random_uuid(), n::text, 'expirations', now() FROM generate_series(2, 100) n`,
    [own.id],
  );
  const beyond = await own.admin.post("/certificates/calendars", { name: "One more" });
  expect([beyond.status, beyond.error.code]).toEqual([409, "CONFLICT"]);
  expect(beyond.error.message).toBe("An organization can have at most 100 calendars.");
  expect((await own.admin.delete(`/certificates/calendars/${made.data.id}`)).status).toBe(200);
  expect((await ask()).status).toBe(404);
});
