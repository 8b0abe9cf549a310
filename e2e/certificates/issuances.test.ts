import { createHash, X509Certificate } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query, whileHeld } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newDomainName } from "@/e2e/support/stand-ins/small-internet";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { until } from "@/e2e/support/until";
import { listAlerts } from "@/lib/alerts/list";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { accountIssuances } from "@/lib/subdomains/accounting/account-issuances";
import type { Issuance } from "@/lib/subdomains/contract";
import type { Domain } from "@/lib/subdomains/domain-contract";
import { Abandoned, recordFound } from "@/lib/subdomains/record-found";
import type { FoundIssuance } from "@/lib/subdomains/sources/source";
import { DAY_MS } from "@/lib/time/units";

const server = sharedServer();
const never = new AbortController().signal;
const daysFromNow = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + days * DAY_MS);
const someKey = () => createHash("sha256").update(newId()).digest("hex");

let organization: Organization;
let other: Organization;
beforeAll(async () => {
  [organization, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
});

/** A domain whose issued certificates are a finding at once if nobody accounts for them. */
async function newDomain({ admin }: Organization, body: object = {}): Promise<Domain> {
  const asked = { name: newDomainName(), unauthorized_after_hours: 0, sources: ["ct_search"], ...body };
  const made = await admin.post<Domain>("/subdomains/domains", asked);
  expect(made.status, made.text).toBe(201);
  return made.data;
}

/** Lets certificate transparency have certificates for a domain. */
async function issue(
  { id: organizationId }: Organization,
  domain: Domain,
  more: Partial<FoundIssuance> = {},
  leasedUntil: Date | null = null,
) {
  const usual = { names: [`www.${domain.name}`], issuer: "CN=R11,O=Somebody", revoked: null, publicKeySha256: null };
  const found = { ...usual, notBefore: daysFromNow(0), notAfter: daysFromNow(90), ...more };
  const run = { organizationId, domainId: domain.id, source: "ct_search" as const, leasedUntil };
  await recordFound(run, { names: [], issuances: [found], place: null });
}

const issuancesOf = async ({ read }: Organization, { id }: Domain, query = "") =>
  (await read.get<Issuance[]>(`/subdomains/issuances?domain_id=${id}${query}`)).data;
const accountsOf = async (own: Organization, domain: Domain) =>
  (await issuancesOf(own, domain)).map(({ authorized_by, finding }) => [authorized_by, finding?.code ?? null]);
const UNAUTHORIZED = [null, "issuance_unauthorized"];

describe("a certificate that was issued", () => {
  test("is not recorded by a run whose lease another process has", async () => {
    const domain = await newDomain(organization);
    await expect(issue(organization, domain, {}, new Date(0))).rejects.toThrow(Abandoned);
    expect(await issuancesOf(organization, domain)).toEqual([]);
  });

  test("is a critical finding and an alert if nobody accounts for it", async () => {
    const own = await newOrganization(server);
    const domain = await newDomain(own);
    await issue(own, domain, { publicKeySha256: someKey() });
    const [found] = await issuancesOf(own, domain, "&accounted=false");
    expect(found).toMatchObject({
      authorized_by: null,
      finding: {
        code: "issuance_unauthorized",
        severity: "critical",
        evidence: { issuer: "CN=R11,O=Somebody", names: [`www.${domain.name}`] },
        closed_at: null,
      },
    });
    expect((await own.read.get<Domain>(`/subdomains/domains/${domain.id}`)).data.unauthorized_issuances).toBe(1);
    await accountIssuances(never);
    const any = { status: undefined, severity: undefined, subject_id: undefined, certificate_id: undefined };
    const asked = { ...any, rule_id: undefined, since: undefined, until: undefined, limit: 50, cursor: undefined };
    const alertOf = async () => (await listAlerts(systemPrincipal(own.id), asked)).items[0];
    expect(await until("there is an alert", alertOf)).toMatchObject({
      rule: { name: "Certificate problems" },
      subject: { type: "issuance", id: found?.id },
      causes: ["issuance_unauthorized"],
      severity: "critical",
      detail: "issued by CN=R11,O=Somebody without authorization",
    });
    expect((await own.admin.post(`/subdomains/issuances/${found?.id}/authorize`, {})).status).toBe(200);
    await until("its cause is gone", async () => (await alertOf())?.cause_gone_at != null);
  });

  test("is ours by the key of a certificate that a client handed in", async () => {
    const domain = await newDomain(organization);
    const { pem } = await makeCertificate({ name: `www.${domain.name}`, sans: [`www.${domain.name}`] });
    const { api } = await organization.newKey({ permission: "admin", scope: "obtained_certificates" });
    const obtained = await api.post<{ public_key_sha256: string }>("/certificates/obtained", { pem });
    expect([obtained.status, obtained.data]).toMatchObject([200, { obtained_at: expect.any(String), added_at: null }]);
    await issue(organization, domain, { publicKeySha256: obtained.data.public_key_sha256 });
    await accountIssuances(never);
    expect(await accountsOf(organization, domain)).toEqual([["key", null]]);
    const again = await api.post("/certificates/obtained", { pem });
    expect(again.data).toEqual(obtained.data);
  });

  test("is ours also if it is too old for a finding, and each is accounted for as it comes", async () => {
    const own = await newOrganization(server);
    const domain = await newDomain(own);
    for (const age of [800, 2, 0]) {
      const { pem, certificate } = await makeCertificate({ name: `www.${domain.name}`, sans: [`www.${domain.name}`] });
      await own.admin.post("/certificates", { pem });
      const key = new X509Certificate(pem).publicKey.export({ type: "spki", format: "der" });
      const publicKeySha256 = createHash("sha256").update(key).digest("hex");
      await issue(own, domain, { publicKeySha256, notBefore: daysFromNow(-age), notAfter: certificate.notAfter });
    }
    await accountIssuances(never);
    expect(await accountsOf(own, domain)).toEqual(Array.from({ length: 3 }, () => ["key", null]));
    await issue(own, domain, { publicKeySha256: someKey() });
    await accountIssuances(never);
    expect((await accountsOf(own, domain)).filter(([by]) => by === null)).toEqual([UNAUTHORIZED]);
  });

  test("is ours by the names and validity of a certificate of ours, where no source names keys", async () => {
    const domain = await newDomain(organization);
    const name = `api.${domain.name}`;
    const { pem, certificate } = await makeCertificate({ name, sans: [name, "elsewhere.test"], fromDays: 0 });
    await organization.admin.post("/certificates", { pem });
    const { notBefore, notAfter } = certificate;
    await issue(organization, domain, { names: [name], notBefore, notAfter });
    await issue(organization, domain, { names: [name, `www.${domain.name}`], notBefore, notAfter });
    await accountIssuances(never);
    expect((await accountsOf(organization, domain)).sort()).toEqual([UNAUTHORIZED, ["certificate", null]]);
  });

  test("is not ours by names and validity if its key is another, also if that becomes known later", async () => {
    const domain = await newDomain(organization);
    const name = `api.${domain.name}`;
    const { pem, certificate } = await makeCertificate({ name, sans: [name], fromDays: 0 });
    await organization.admin.post("/certificates", { pem });
    const found = { names: [name], notBefore: certificate.notBefore, notAfter: certificate.notAfter };
    const ours = new X509Certificate(pem).publicKey.export({ type: "spki", format: "der" });
    const account = async (publicKeySha256: string | null, issuer: string) => {
      await issue(organization, domain, { ...found, publicKeySha256, issuer });
      await accountIssuances(never);
      const all = await issuancesOf(organization, domain);
      return all.filter((each) => each.issuer === issuer).map(({ authorized_by }) => authorized_by);
    };
    expect(await account(someKey(), "CN=Known")).toEqual([null]);
    expect(await account(null, "CN=Later")).toEqual(["certificate"]);
    expect(await account(createHash("sha256").update(ours).digest("hex"), "CN=Later")).toEqual(["key"]);
    expect(await account(null, "CN=Later")).toEqual(["key"]);
    // With another key it is another certificate.
    expect(await account(someKey(), "CN=Later")).toEqual([null, "key"]);
    expect(await account(null, "CN=Later")).toEqual([null, "key"]);
    expect(await account(null, "CN=Other")).toEqual(["certificate"]);
    expect(await account(someKey(), "CN=Other")).toEqual([null]);
  });

  test("is not ours because an endpoint serves it: whoever hijacked the name serves one, too", async () => {
    const own = await newOrganization(server);
    const domain = await newDomain(own);
    const name = `www.${domain.name}`;
    const { pem } = await makeCertificate({ name, sans: [name], fromDays: 0 });
    const endpoint = await own.admin.post<{ id: string }>("/certificates/endpoints", {
      host: name,
      reported: true,
    });
    await own.admin.post(`/certificates/endpoints/${endpoint.data.id}/report`, { pem });
    const key = new X509Certificate(pem).publicKey.export({ type: "spki", format: "der" });
    await issue(own, domain, { publicKeySha256: createHash("sha256").update(key).digest("hex") });
    await accountIssuances(never);
    expect(await accountsOf(own, domain)).toEqual([UNAUTHORIZED]);
    await own.admin.post("/certificates/obtained", { pem });
    await accountIssuances(never);
    expect(await accountsOf(own, domain)).toEqual([["key", null]]);
  });

  test("is accounted for anew by the worker where the request had no time for it", async () => {
    const own = await newOrganization(server);
    const domain = await newDomain(own, { authorized_issuers: ["Somebody"] });
    await issue(own, domain);
    await accountIssuances(never);
    expect(await accountsOf(own, domain)).toEqual([["issuer", null]]);
    // Longer than the request may wait for locks.
    const held = {
      first: "SELECT FROM issuances WHERE organization_id = $1 FOR UPDATE",
      values: [own.id],
      waiting: 99,
    };
    const change = () => own.admin.put(`/subdomains/domains/${domain.id}`, { authorized_issuers: [] });
    expect((await whileHeld(server, held, change)).status).toBe(200);
    await accountIssuances(never);
    expect(await accountsOf(own, domain)).toEqual([UNAUTHORIZED]);
    const done = "SELECT account_after FROM domains WHERE organization_id = $1 AND id = $2";
    expect(await query(server, "app", done, [own.id, domain.id])).toEqual([{ account_after: null }]);
  });

  test("is not ours by what another organization has", async () => {
    const domain = await newDomain(other);
    const { pem } = await makeCertificate({ name: `www.${domain.name}`, sans: [`www.${domain.name}`] });
    const { data } = await organization.admin.post<{ public_key_sha256: string }>("/certificates/obtained", { pem });
    await issue(other, domain, { publicKeySha256: data.public_key_sha256 });
    await accountIssuances(never);
    expect(await accountsOf(other, domain)).toEqual([UNAUTHORIZED]);
  });

  test("is ours by its issuer only while that is ours alone", async () => {
    const domain = await newDomain(organization);
    await issue(organization, domain);
    const path = `/subdomains/domains/${domain.id}`;
    const ours = await organization.admin.put<Domain>(path, { authorized_issuers: ["Somebody"] });
    expect(ours.data).toMatchObject({ authorized_issuers: ["Somebody"], unauthorized_issuances: 0 });
    expect(await accountsOf(organization, domain)).toEqual([["issuer", null]]);
    await organization.admin.put(path, { authorized_issuers: [] });
    expect(await accountsOf(organization, domain)).toEqual([UNAUTHORIZED]);
  });

  test("is left alone before its time, if it is older, and if the domain does not ask", async () => {
    const [later, off] = [
      await newDomain(organization, { unauthorized_after_hours: undefined }),
      await newDomain(organization, { unauthorized_after_hours: null }),
    ];
    const now = await newDomain(organization);
    expect(later.unauthorized_after_hours).toBe(24);
    for (const domain of [later, off]) await issue(organization, domain);
    await issue(organization, now, { notBefore: daysFromNow(-2) });
    for (const domain of [later, off, now]) expect(await accountsOf(organization, domain)).toEqual([[null, null]]);
    await organization.admin.put(`/subdomains/domains/${off.id}`, { unauthorized_after_hours: 0 });
    expect(await accountsOf(organization, off)).toEqual([UNAUTHORIZED]);
  });
});

describe("an issued certificate is called ours", () => {
  test("once, or always by its key, and that is recorded", async () => {
    const domain = await newDomain(organization);
    const key = someKey();
    await issue(organization, domain, { publicKeySha256: key });
    await issue(organization, domain, { publicKeySha256: key, names: [`api.${domain.name}`] });
    await issue(organization, domain, { names: [`old.${domain.name}`] });
    const find = async (name: string) =>
      (await issuancesOf(organization, domain)).find(({ names }) => names[0] === `${name}.${domain.name}`);
    const authorize = async (name: string, body: object) =>
      organization.admin.post<Issuance>(`/subdomains/issuances/${(await find(name))?.id}/authorize`, body);

    const once = await authorize("old", {});
    expect(once.data).toMatchObject({ authorized_by: "person", authorized_name: "Admin", finding: null });
    expect((await eventById(server, once.requestId))?.details).toMatchObject({
      changes: [{ field: "authorized_by", from: null, to: "person" }],
    });
    const refused = await authorize("old", { remember_key: true });
    expect([refused.status, refused.error.code]).toEqual([409, "CONFLICT"]);

    const always = await authorize("www", { remember_key: true });
    expect(always.data).toMatchObject({ authorized_by: "authorized_key", public_key_sha256: key });
    expect((await eventById(server, always.requestId))?.details).toMatchObject({ resource_ids: [domain.id] });
    expect(await find("api")).toMatchObject({ authorized_by: "authorized_key", finding: null });
    const { data } = await organization.read.get<Domain>(`/subdomains/domains/${domain.id}`);
    expect(data).toMatchObject({ authorized_keys: [key], unauthorized_issuances: 0 });
    await organization.admin.put(`/subdomains/domains/${domain.id}`, { authorized_keys: [] });
    expect(await find("api")).toMatchObject({ authorized_by: null, finding: { code: "issuance_unauthorized" } });
    expect(await find("old")).toMatchObject({ authorized_by: "person" });
  });

  test("only by an admin of its organization", async () => {
    const domain = await newDomain(organization);
    await issue(organization, domain);
    const [found] = await issuancesOf(organization, domain);
    const path = `/subdomains/issuances/${found?.id}/authorize`;
    expect((await organization.read.post(path, {})).status).toBe(403);
    expect((await other.admin.post(path, {})).status).toBe(404);
    expect((await other.admin.post(path, { remember_key: true })).status).toBe(404);
    expect(await accountsOf(organization, domain)).toEqual([UNAUTHORIZED]);
  });
});

describe("a certificate that is handed in", () => {
  test("raises nothing when it expires, unlike an added one", async () => {
    const { pem } = await makeCertificate({ name: "handed.test", sans: ["handed.test"], fromDays: -89, untilDays: 1 });
    const { data } = await organization.admin.post<{ id: string }>("/certificates/obtained", { pem });
    const left = { name: newId(), condition: { type: "time_left" }, steps: [{ days_left: 30, severity: "warning" }] };
    const previewed = async () => {
      const { data: preview } = await organization.admin.post<{ matches: { subject: { id: string } }[] }>(
        "/alert-rules/preview",
        left,
      );
      return preview.matches.map(({ subject }) => subject.id);
    };
    expect(await previewed()).not.toContain(data.id);
    await organization.admin.post("/certificates", { pem });
    expect(await previewed()).toContain(data.id);
  });

  test.each([
    ["no certificate", "hello", "pem"],
    ["a private key", "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----", "pem"],
    ["too much", "a".repeat(500_001), "pem"],
  ])("is refused: %s", async (_, pem, field) => {
    const answer = await organization.admin.post("/certificates/obtained", { pem });
    expect([answer.status, answer.error.issues?.[0]?.path]).toEqual([400, field]);
  });

  test("cannot be a CA's", async () => {
    const { pem } = await makeCertificate({ name: "Some CA", ca: true });
    const before = await query(server, "app", "SELECT FROM certificates WHERE organization_id = $1", [organization.id]);
    expect((await organization.admin.post("/certificates/obtained", { pem })).status).toBe(400);
    const after = await query(server, "app", "SELECT FROM certificates WHERE organization_id = $1", [organization.id]);
    expect(after).toHaveLength(before.length);
  });
});
