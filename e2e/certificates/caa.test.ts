import { afterAll, beforeAll, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import type { Zone } from "@/e2e/support/stand-ins/name-server";
import { arrange, newDomainName } from "@/e2e/support/stand-ins/small-internet";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { serveTls, type TestServer } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import type { CertificateDetail, CertificateEndpointDetail } from "@/lib/certificates/contract";

const server = sharedServer();
const ENDPOINTS = "/certificates/endpoints";
const testServers: TestServer[] = [];
let organization: Organization;
let other: Organization;

beforeAll(async () => {
  [organization, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
});
afterAll(() => Promise.all(testServers.map(({ close }) => close())));

const issue = (value: string): Zone => ({ caa: [{ tag: "issue", value }] });

/** An endpoint with a certificate of Let's Encrypt for a new domain, by name, whose records are those of `zone`. */
async function watch(zone: Zone, input: object = {}) {
  const domain = newDomainName();
  await arrange(server, { zones: { [domain]: zone } });
  const issuer = await makeCertificate({ name: "R99,O=Let's Encrypt", ca: true });
  const leaf = await makeCertificate({ name: domain, sans: [`www.${domain}`], issuer });
  const testServer = await serveTls([leaf, issuer]);
  testServers.push(testServer);
  const target = { host: "127.0.0.1", port: testServer.port, sni: `www.${domain}`, ...input };
  const { data } = await organization.admin.post<CertificateEndpointDetail>(ENDPOINTS, target);
  return { domain, endpoint: data, target };
}

const findingsOf = ({ id }: { id: string }, code: string) =>
  query<{ severity: string; evidence: object }>(
    server,
    "app",
    `SELECT severity, evidence FROM certificate_findings
     WHERE organization_id = $1 AND endpoint_id = $2 AND code = $3 AND closed_at IS NULL`,
    [organization.id, id, code],
  );

async function opened(endpoint: { id: string }, code: string) {
  const [finding] = await until(`${code} is open`, async () => {
    const rows = await findingsOf(endpoint, code);
    return rows.length > 0 && rows;
  });
  return finding;
}

const isRead = (domain: string, condition = "answered_at IS NOT NULL") =>
  until("the records were read", async () => {
    const text = `SELECT FROM certificate_names WHERE organization_id = $1 AND name = $2 AND ${condition}`;
    return (await query(server, "app", text, [organization.id, `www.${domain}`])).length > 0;
  });

const readAgain = (domain: string) =>
  query(server, "app", "UPDATE certificate_names SET next_check_at = now() WHERE organization_id = $1 AND name = $2", [
    organization.id,
    `www.${domain}`,
  ]);

const detail = async (owner: Organization, { certificate }: CertificateEndpointDetail) =>
  (await owner.read.get<CertificateDetail>(`/certificates/${certificate?.id}`)).data;

test("records that forbid the issuer are a finding before the renewal is refused", async () => {
  const { domain, endpoint } = await watch(issue("other.example"));
  expect(await opened(endpoint, "caa_forbids_renewal")).toMatchObject({
    severity: "warning",
    evidence: { names: [{ name: `www.${domain}`, at: domain, records: ["issue other.example"] }] },
  });
  expect((await detail(organization, endpoint)).caa).toMatchObject([
    { name: `www.${domain}`, permits_issuer: false, at: domain, error: null, changed_at: null },
  ]);
});

test("a change of the records is a finding, with the account that it adds", async () => {
  const { domain, endpoint } = await watch(issue("letsencrypt.org"));
  await isRead(domain);
  expect((await detail(organization, endpoint)).caa).toMatchObject([{ permits_issuer: true, accounts: [] }]);
  await arrange(server, {
    zones: {
      [`_validation-persist.www.${domain}`]: { txt: ["letsencrypt.org; accounturi=https://ca.example/acct/9"] },
    },
  });
  await readAgain(domain);
  expect(await opened(endpoint, "caa_changed")).toMatchObject({
    severity: "warning",
    evidence: { names: [{ name: `www.${domain}`, accounts: { from: [], to: ["https://ca.example/acct/9"] } }] },
  });
  expect(await findingsOf(endpoint, "account_unexpected")).toEqual([]);
});

test("an account that the endpoint does not expect is critical until it is expected", async () => {
  const uri = "https://ca.example/acct/7";
  const zone = issue(`letsencrypt.org; accounturi=${uri}; validationmethods=dns-01`);
  const { endpoint } = await watch(zone, { expected_accounts: ["https://ca.example/acct/1"] });
  expect(await opened(endpoint, "account_unexpected")).toMatchObject({
    severity: "critical",
    evidence: { accounts: [{ uri, source: "caa", authority: "letsencrypt.org" }] },
  });
  const path = `${ENDPOINTS}/${endpoint.id}`;
  const { data } = await organization.admin.put<CertificateEndpointDetail>(path, { expected_accounts: [uri] });
  expect(data.expected_accounts).toEqual([uri]);
  expect(data.findings.map(({ code }) => code)).not.toContain("account_unexpected");
});

test("a failure of DNS is shown, but is not a finding; the last answer stays", async () => {
  const { domain, endpoint } = await watch(issue("letsencrypt.org"));
  await isRead(domain);
  await arrange(server, { zones: { [domain]: { fails: "SERVFAIL" } } });
  await readAgain(domain);
  await isRead(domain, "error IS NOT NULL");
  expect((await detail(organization, endpoint)).caa).toMatchObject([
    { permits_issuer: true, at: domain, error: "the name servers failed to look it up" },
  ]);
  expect(await findingsOf(endpoint, "caa_changed")).toEqual([]);
  expect(await findingsOf(endpoint, "caa_forbids_renewal")).toEqual([]);
});

test("each organization reads for itself, and bounds are refused", async () => {
  const { domain, endpoint, target } = await watch(issue("letsencrypt.org"));
  await isRead(domain);
  const { data: foreign } = await other.admin.post<CertificateEndpointDetail>(ENDPOINTS, target);
  expect((await other.read.get(`/certificates/${endpoint.certificate?.id}`)).status).toBe(404);
  expect((await detail(other, foreign)).id).not.toBe(endpoint.certificate?.id);
  for (const expected_accounts of [[""], ["a".repeat(501)], Array.from({ length: 21 }, (_, n) => `a:${n}`)]) {
    const refused = await organization.admin.put(`${ENDPOINTS}/${endpoint.id}`, { expected_accounts });
    expect(refused.status).toBe(400);
  }
});
