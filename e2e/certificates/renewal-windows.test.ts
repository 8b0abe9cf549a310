import { afterAll, beforeAll, expect, test } from "vitest";
import { anonymous } from "@/e2e/support/api";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { ACME_AUTHORITY, type AcmeAnswer, acmeCertificate } from "@/e2e/support/stand-ins/acme";
import { arrange, askedAbout } from "@/e2e/support/stand-ins/small-internet";
import { type Authority, makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { serveTls, type TestServer } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import type { CertificateDetail, CertificateEndpointDetail } from "@/lib/certificates/contract";
import type { CertificateRenewal } from "@/lib/certificates/renewals/renewal-contract";
import { DAY_MS } from "@/lib/time/units";

const server = sharedServer();
const ENDPOINTS = "/certificates/endpoints";
const testServers: TestServer[] = [];
let organization: Organization;
let other: Organization;
let authority: Authority;

beforeAll(async () => {
  [organization, other, authority] = await Promise.all([
    newOrganization(server),
    newOrganization(server),
    makeAuthority(ACME_AUTHORITY),
  ]);
});
afterAll(() => Promise.all(testServers.map(({ close }) => close())));

const days = (from: number, to: number) => ({
  start: new Date(Date.now() + from * DAY_MS).toISOString(),
  end: new Date(Date.now() + to * DAY_MS).toISOString(),
});

/** An endpoint with a certificate about which the authority answers so. */
async function watch(answer: AcmeAnswer, owner = organization) {
  const { certId, overrides } = acmeCertificate();
  await arrange(server, { acme: { [certId]: answer } });
  const leaf = await authority.leaf({ sans: ["good.test"], ...overrides });
  const testServer = await serveTls([leaf, authority.intermediate]);
  testServers.push(testServer);
  const target = { host: "127.0.0.1", port: testServer.port, sni: "good.test" };
  const { data } = await owner.admin.post<CertificateEndpointDetail>(ENDPOINTS, target);
  return { certId, endpoint: data, target };
}

const renewalsOf = ({ id }: Organization, endpoint: { id: string }, condition: string) =>
  query(
    server,
    "app",
    `SELECT r.* FROM certificate_renewals r JOIN certificate_endpoints e
       ON e.organization_id = r.organization_id AND e.certificate_id = r.id
     WHERE e.organization_id = $1 AND e.id = $2 AND ${condition}`,
    [id, endpoint.id],
  );

async function asked(owner: Organization, endpoint: { id: string }, condition = "r.asked_at IS NOT NULL") {
  await until("the authority was asked", async () => (await renewalsOf(owner, endpoint, condition)).length > 0);
  return (await owner.read.get<CertificateEndpointDetail>(`${ENDPOINTS}/${endpoint.id}`)).data;
}

/** Has the authority asked again now. */
async function askAgain({ certificate }: CertificateEndpointDetail): Promise<void> {
  const text = "UPDATE certificate_renewals SET next_check_at = now() WHERE organization_id = $1 AND id = $2";
  await query(server, "app", text, [organization.id, certificate?.id]);
}

test("the window of a served certificate is shown with the endpoint and the certificate", async () => {
  const window = days(40, 42);
  const { endpoint, certId } = await watch({ window, explanationURL: "https://ca.example/why", retryAfter: "7200" });
  const seen = await asked(organization, endpoint);
  expect(seen.renewal_info).toMatchObject({
    directory: expect.stringContaining("/acme/directory"),
    ...{ window, explanation_url: "https://ca.example/why", moved: null, error: null },
  });
  const { answered_at, next_ask_at } = seen.renewal_info ?? {};
  // Counts from when the answer was recorded, by the database's clock.
  expect((Date.parse(next_ask_at ?? "") - Date.parse(answered_at ?? "")) / 60_000).toBeCloseTo(120, -1);
  expect(seen.findings.map(({ code }) => code)).not.toContain("renewal_moved_forward");
  const { data } = await organization.read.get<CertificateDetail>(`/certificates/${seen.certificate?.id}`);
  expect(data.renewal_info).toEqual(seen.renewal_info);
  expect(await askedAbout(server, certId)).toHaveLength(1);
});

test("a window that is moved forward opens a critical finding and an alert", async () => {
  const { endpoint, certId } = await watch({ window: days(50, 52) });
  const before = await asked(organization, endpoint);
  await arrange(server, {
    acme: { [certId]: { window: days(-1, -0.5), explanationURL: "https://ca.example/incident" } },
  });
  await askAgain(before);
  const open = `SELECT severity, evidence FROM certificate_findings
    WHERE organization_id = $1 AND endpoint_id = $2 AND code = 'renewal_moved_forward' AND closed_at IS NULL`;
  const [finding] = await until("the finding is open", async () => {
    const rows = await query<{ severity: string; evidence: object }>(server, "app", open, [
      organization.id,
      endpoint.id,
    ]);
    return rows.length > 0 && rows;
  });
  expect(finding).toMatchObject({
    severity: "critical",
    evidence: { from: before.renewal_info?.window, explanation_url: "https://ca.example/incident" },
  });
  const alerts =
    "SELECT FROM alerts WHERE organization_id = $1 AND subject_id = $2 AND 'renewal_moved_forward' = ANY (causes)";
  await until(
    "an alert is open",
    async () => (await query(server, "app", alerts, [organization.id, endpoint.id])).length > 0,
  );
  const moved = (await organization.read.get<CertificateEndpointDetail>(`${ENDPOINTS}/${endpoint.id}`)).data;
  expect(moved.renewal_info?.moved).toMatchObject({ from: before.renewal_info?.window });
  expect(moved.renewal_due_at).toBe(moved.renewal_info?.window?.start);
});

test("the renewal is due from the start of the window, in the list and in the calendar", async () => {
  const window = days(10, 12);
  const { endpoint } = await watch({ window });
  await asked(organization, endpoint);
  const { data: renewals } = await organization.read.get<CertificateRenewal[]>("/certificates/renewals?days=15");
  expect(renewals.filter(({ endpoints }) => endpoints.some(({ id }) => id === endpoint.id))).toMatchObject([
    { due_at: window.start },
  ]);
  const { data } = await organization.admin.post<{ url: string }>("/certificates/calendars", {
    name: "Windows",
    shows: "renewals",
  });
  const { pathname, search } = new URL(data.url);
  const { text } = await anonymous(server).get(pathname.replace("/api/v1", "") + search);
  expect(text).toContain(`DTSTART:${window.start.replace(/[-:]|\.\d+/g, "")}`);
});

test("failures keep the last answer and say why", async () => {
  const window = days(40, 42);
  const { endpoint, certId } = await watch({ window });
  const before = await asked(organization, endpoint);
  await arrange(server, { acme: { [certId]: { raw: { status: 503, body: "" } } } });
  await askAgain(before);
  const after = await asked(organization, endpoint, "r.error IS NOT NULL");
  expect(after.renewal_info).toMatchObject({ window, error: "HTTP status 503", moved: null });
  expect(after.findings.map(({ code }) => code)).not.toContain("renewal_moved_forward");
});

test("each organization has its own requests and answers", async () => {
  const { endpoint, target } = await watch({ window: days(40, 42) });
  const own = await asked(organization, endpoint);
  const { data: foreign } = await other.admin.post<CertificateEndpointDetail>(ENDPOINTS, target);
  const theirs = await asked(other, foreign);
  expect(theirs.renewal_info?.window).toEqual(own.renewal_info?.window);
  expect((await other.read.get(`/certificates/${own.certificate?.id}`)).status).toBe(404);
});
