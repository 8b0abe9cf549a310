import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aResult, enroll, newAgent } from "@/e2e/support/agent";
import { withKey } from "@/e2e/support/api";
import { send } from "@/e2e/support/http";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { type Authority, makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { serveTls, type TestServer } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import type { Alert } from "@/lib/alerts/contract";
import type { AnalyticsExpiry } from "@/lib/analytics/contract";
import type { Certificate, CertificateEndpointDetail } from "@/lib/certificates/contract";

const server = sharedServer();
const ENDPOINTS = "/certificates/endpoints";
const testServers: TestServer[] = [];
let organization: Organization;
let authority: Authority;

beforeAll(async () => {
  [organization, authority] = await Promise.all([newOrganization(server), makeAuthority("Scans")]);
});
afterAll(() => Promise.all(testServers.map(({ close }) => close())));

const detail = async (id: string) =>
  (await organization.read.get<CertificateEndpointDetail>(`${ENDPOINTS}/${id}`)).data;

/** Has the worker check the endpoint now, and scan it if that is due at `scanDueAt`. */
async function makeDue(id: string, scanDueAt: string): Promise<void> {
  const text = `UPDATE certificate_endpoints SET next_check_at = now(), tls_scan_due_at = ${scanDueAt}
    WHERE organization_id = $1 AND id = $2`;
  await query(server, "app", text, [organization.id, id]);
}

test("an expired certificate of the other key type and weak ciphers are found, daily and on demand", async () => {
  const sans = ["127.0.0.1"];
  const [leaf, rsa] = await Promise.all([
    authority.leaf({ sans }),
    authority.leaf({ sans, key: "RSA-2048", fromDays: -100, untilDays: -3 }),
  ]);
  const testServer = await serveTls([leaf], {
    key: [leaf.keyPem, rsa.keyPem],
    cert: [leaf, rsa].map(({ pem }) => pem + authority.intermediate.pem),
    ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:AECDH-AES128-SHA:@SECLEVEL=0",
    minVersion: "TLSv1.2",
  });
  testServers.push(testServer);
  const trust = await organization.admin.post<{ id: string }>("/certificates/trust-stores", {
    name: "Scans",
    pem: authority.root.pem,
  });
  const made = await organization.admin.post<CertificateEndpointDetail>(ENDPOINTS, {
    host: "127.0.0.1",
    port: testServer.port,
    trust_store_id: trust.data.id,
  });
  expect([made.data.status, made.data.tls_scan]).toEqual(["ok", null]);
  const { id } = made.data;

  const { data: requested } = await organization.admin.post<CertificateEndpointDetail>(`${ENDPOINTS}/${id}/check`);
  expect(requested.tls_scan).toMatchObject({
    ...{ address: "127.0.0.1", protocols: ["TLSv1.3", "TLSv1.2"], weak_ciphers: ["anonymous"] },
    ...{ forward_secrecy: true, authenticated_encryption: true },
    certificates: [{ id: requested.certificate?.id, key_type: "ec" }, { key_type: "rsa" }],
  });
  const other = requested.tls_scan?.certificates[1];
  expect(requested.status).toBe("critical");
  const found = requested.findings.filter(({ code }) => ["expired", "weak_cipher"].includes(code));
  expect(found).toMatchObject([
    { code: "expired", evidence: { other_certificate: { sha256: other?.sha256, key_type: "rsa" } } },
    { code: "weak_cipher", severity: "critical", evidence: { weak: ["anonymous"] } },
  ]);
  const served = await organization.read.get<Certificate>(`/certificates/${other?.id}`);
  expect(served.data).toMatchObject({ endpoint_count: 1, endpoints: [{ id, port: testServer.port }] });
  const lists = ["", "?sort=name", "?unused=false", "?unused=true"];
  const listed = await Promise.all(lists.map((list) => organization.read.get<Certificate[]>(`/certificates${list}`)));
  const places = listed.map(({ data }) => data.find((each) => each.id === other?.id)?.endpoints[0]?.id);
  expect(places).toEqual([id, id, id, undefined]);
  const endpoints = await organization.read.get<unknown[]>(`${ENDPOINTS}?certificate_id=${other?.id}`);
  expect(endpoints.data).toMatchObject([{ id }]);

  const again = await organization.admin.post<CertificateEndpointDetail>(`${ENDPOINTS}/${id}/check`);
  expect(again.data).toMatchObject({ tls_scan: requested.tls_scan, findings: requested.findings });

  await makeDue(id, "now() + interval '1 hour'");
  const checked = await until("the worker has checked it", async () => {
    const now = await detail(id);
    return now.last_checked_at !== again.data.last_checked_at && now;
  });
  expect(checked).toMatchObject({ tls_scan: requested.tls_scan, findings: requested.findings });
  await makeDue(id, "now()");
  const scanned = await until("the worker has scanned it", async () => {
    const now = await detail(id);
    return now.tls_scan?.at !== requested.tls_scan?.at && now;
  });
  expect(scanned.findings).toEqual(requested.findings);
});

test("a newer certificate of the other key type that the server has too is not a renewal, unlike one of the same", async () => {
  const own = await newOrganization(server);
  const sans = ["127.0.0.1"];
  const [leaf, rsa, renewed] = await Promise.all([
    authority.leaf({ sans, fromDays: -10, untilDays: 60 }),
    authority.leaf({ sans, key: "RSA-2048", fromDays: -2, untilDays: 80 }),
    authority.leaf({ sans }),
  ]);
  const testServer = await serveTls([leaf], {
    key: [leaf.keyPem, rsa.keyPem],
    cert: [leaf, rsa].map(({ pem }) => pem + authority.intermediate.pem),
  });
  testServers.push(testServer);
  const target = { host: "127.0.0.1", port: testServer.port };
  const made = await own.admin.post<CertificateEndpointDetail>(ENDPOINTS, target);
  const check = async () => {
    const path = `${ENDPOINTS}/${made.data.id}/check`;
    const { data } = await own.admin.post<CertificateEndpointDetail>(path);
    expect(data.tls_scan?.certificates.map(({ key_type }) => key_type)).toEqual(["ec", "rsa"]);
    return data.findings.filter(({ code }) => code === "renewed_not_deployed");
  };
  // With the scan, and then without one.
  expect(await check()).toEqual([]);
  expect(await check()).toEqual([]);
  const { data: newer } = await own.admin.post<Certificate>("/certificates", { pem: renewed.pem });
  expect(await check()).toMatchObject([{ evidence: { newer: { sha256: newer.sha256 } } }]);
});

const sha256 = (der: Buffer) => createHash("sha256").update(der).digest("hex");

interface Shown {
  id: string;
  sha256: string;
}

/** Expects alerts, analytics, lists, metrics, calendars and status pages to know of `other`, which has 3 days left, besides `first`. */
async function expectCounted(own: Organization, endpoint: { id: string }, first: Shown, other: Shown): Promise<void> {
  const { data: calendar } = await own.admin.post<{ url: string }>("/certificates/calendars", { name: "All" });
  await query(server, "app", "UPDATE alert_evaluations SET next_at = now() WHERE organization_id = $1", [own.id]);
  const alert = await until("an alert about its expiry", async () => {
    const { data } = await own.read.get<Alert[]>(`/alerts?certificate_id=${other.id}`);
    return data.find(({ causes }) => causes.includes("time_left"));
  });
  expect(alert).toMatchObject({ severity: "critical", subject: { type: "endpoint", id: endpoint.id } });

  const { data: expiry } = await own.read.get<AnalyticsExpiry>("/analytics/expiry");
  expect(expiry.next[0]).toMatchObject({ id: other.id, endpoints: 1 });
  for (const [filter, listed] of [
    ["expires_within_days=14", [endpoint.id]],
    ["expires_within_days=1", []],
    [`certificate_id=${other.id}`, [endpoint.id]],
  ] as const) {
    const { data } = await own.read.get<{ id: string }[]>(`${ENDPOINTS}?${filter}`);
    expect(data.map(({ id }) => id)).toEqual(listed);
  }
  const { data: served } = await own.read.get<Certificate>(`/certificates/${other.id}`);
  expect(served).toMatchObject({ endpoint_count: 1, endpoints: [{ id: endpoint.id }] });
  const lines = (await own.read.get("/analytics/metrics")).text.split("\n");
  const expires = lines.filter((line) => line.startsWith("sealwatch_certificate_not_after_timestamp_seconds{"));
  const labels = [first, other].map((each) => expect.stringContaining(`sha256="${each.sha256}"`));
  expect([expires.length, expires]).toEqual([2, expect.arrayContaining(labels)]);
  const { pathname, search } = new URL(calendar.url);
  const feed = await own.read.get(pathname.replace("/api/v1", "") + search);
  expect(feed.text).toContain(`UID:${other.id}@sealwatch`);

  const asked = { name: "Due", shows: "renewals" };
  const { data: renewals } = await own.admin.post<{ url: string }>("/certificates/calendars", asked);
  const due = new URL(renewals.url);
  const dueFeed = await own.read.get(due.pathname.replace("/api/v1", "") + due.search);
  expect(dueFeed.text).toContain(`UID:${other.id}-renewal@sealwatch`);

  const sites = [{ label: "Shop", endpoint_id: endpoint.id }];
  const page = { title: "Acme", published: true, sites };
  const { data: shown } = await own.admin.post<{ slug: string }>(`/organizations/${own.id}/status-pages`, page);
  const path = `/status/${shown.slug}`;
  const text = async (target: string) => (await send(server.url, { method: "GET", target })).text;
  expect(await text(path)).toContain("Certificate valid for 2 days");
  expect(await text(`${path}/badge.svg?show=certificate`)).toContain("certificate: 2 days");
}

const EXPIRING = { fromDays: -87, untilDays: 3 };

test("the certificate of the other key type counts for alerts, analytics, metrics, calendars and status pages", async () => {
  const own = await newOrganization(server);
  const sans = ["127.0.0.1"];
  const [leaf, rsa] = await Promise.all([
    authority.leaf({ sans }),
    authority.leaf({ sans, key: "RSA-2048", ...EXPIRING }),
  ]);
  const testServer = await serveTls([leaf], {
    key: [leaf.keyPem, rsa.keyPem],
    cert: [leaf, rsa].map(({ pem }) => pem + authority.intermediate.pem),
  });
  testServers.push(testServer);
  const { data: made } = await own.admin.post<CertificateEndpointDetail>(ENDPOINTS, {
    host: "127.0.0.1",
    port: testServer.port,
  });
  const { data: checked } = await own.admin.post<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}/check`);
  const [first, other] = checked.tls_scan?.certificates ?? [];
  if (first === undefined || other === undefined) throw new Error("the scan did not find both certificates");
  await expectCounted(own, made, first, other);
});

test("so does that of another address, while it is served there and until a failure is confirmed", async () => {
  const own = await newOrganization(server);
  const agent = await newAgent(own);
  const signer = await enroll(own, agent.id);
  const target = { host: "several.internal", address_mode: "all", agent_id: agent.id };
  const { data: made } = await own.admin.post<CertificateEndpointDetail>(ENDPOINTS, target);
  const [leaf, expiring] = await Promise.all([authority.leaf(), authority.leaf(EXPIRING)]);
  const timings = { dns_ms: null, connect_ms: 1, tls_ms: null };
  const failed = { outcome: "failed", timings, kind: "unreachable", reason: "timeout", detail: null };
  const serving = ({ der }: { der: Buffer }, at: number) => {
    const chain = [der, authority.intermediate.der].map((each) => each.toString("base64"));
    return { outcome: "served", address: `10.0.0.${at}`, timings, protocol: "TLSv1.3", cipher: null, chain };
  };
  const report = async (sequence: number, leaves: readonly ({ der: Buffer } | null)[]) => {
    const observations = leaves.map((leaf, at) => (leaf ? serving(leaf, at) : { ...failed, address: `10.0.0.${at}` }));
    const signed = signer.sign(agent.id, sequence, [aResult(made.id, { observations })]);
    const sent = await withKey(server, agent.secret).post(`/certificates/agents/${agent.id}/reports`, signed);
    expect(sent.data).toMatchObject({ recorded: 1 });
  };
  const certificates = async () => {
    const { data } = await own.read.get<Certificate[]>("/certificates");
    const of = ({ der }: { der: Buffer }) => data.find((each) => each.sha256 === sha256(der));
    return { first: of(leaf), other: of(expiring) };
  };
  await report(1, [leaf, expiring]);
  const { first, other } = await certificates();
  if (first === undefined || other === undefined) throw new Error("a certificate is missing");
  await expectCounted(own, made, first, other);

  await report(2, [leaf, leaf]);
  expect(await certificates()).toMatchObject({ first: { endpoint_count: 1 }, other: { endpoint_count: 0 } });
  await report(3, [leaf, expiring]);
  await report(4, [leaf, null]);
  expect((await certificates()).other).toMatchObject({ endpoint_count: 1 });
  await report(5, [leaf, null]);
  expect((await certificates()).other).toMatchObject({ endpoint_count: 0 });
  await report(6, [leaf, expiring]);
  await report(7, [leaf]);
  expect((await certificates()).other).toMatchObject({ endpoint_count: 0 });
});
