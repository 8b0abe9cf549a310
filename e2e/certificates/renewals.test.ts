import { beforeAll, describe, expect, test } from "vitest";
import { anonymous } from "@/e2e/support/api";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import type { CertificateEndpoint } from "@/lib/certificates/contract";
import type { CertificateRenewal } from "@/lib/certificates/renewals/renewal-contract";
import { newId } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

const server = sharedServer();
let organization: Organization;
let other: Organization;
beforeAll(async () => {
  [organization, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
});

/** A certificate of this many days from then. */
const leaf = (name: string, fromDays: number, days: number) =>
  makeCertificate({ name, sans: [name], fromDays, untilDays: fromDays + days });

/** An endpoint that reports what it serves. */
async function serve({ admin }: Organization, host: string, pem: string, fields: object = {}) {
  const made = await admin.post<CertificateEndpoint>("/certificates/endpoints", { host, reported: true, ...fields });
  expect(made.status, made.text).toBe(201);
  return report({ admin }, made.data.id, pem);
}

async function report({ admin }: Pick<Organization, "admin">, id: string, pem: string): Promise<CertificateEndpoint> {
  const answer = await admin.post<CertificateEndpoint>(`/certificates/endpoints/${id}/report`, { pem });
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}

const listed = async ({ read }: Organization, query = "") => {
  const answer = await read.get<CertificateRenewal[]>(`/certificates/renewals${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.data.map(({ owner, endpoints }) => [owner, ...endpoints.map(({ host }) => host).sort()]);
};

describe("what must be renewed", () => {
  let shared: CertificateEndpoint;
  beforeAll(async () => {
    const wildcard = await leaf("*.shop.internal", -70, 90);
    shared = await serve(organization, "a.shop.internal", wildcard.pem, {
      owner: " Shop team ",
      renewal_method: "acme",
      renewal_note: "Runs on a.",
      renewal_link: "https://wiki.example/shop",
    });
    await serve(organization, "b.shop.internal", wildcard.pem, { owner: "Shop team" });
    await serve(organization, "c.shop.internal", wildcard.pem);
    await serve(organization, "soon.internal", (await leaf("soon.internal", -40, 90)).pem, { owner: "Platform" });
    await serve(organization, "later.internal", (await leaf("later.internal", -1, 90)).pem, { owner: "Platform" });
    await serve(other, "theirs.internal", (await leaf("theirs.internal", -80, 90)).pem, { owner: "Shop team" });
  });

  test("is one item per certificate and owner, first due first, with how it is renewed", async () => {
    expect(await listed(organization)).toEqual([
      [null, "c.shop.internal"],
      ["Shop team", "a.shop.internal", "b.shop.internal"],
      ["Platform", "soon.internal"],
    ]);
    expect(await listed(organization, "?days=60")).toContainEqual(["Platform", "later.internal"]);
    const { data } = await organization.read.get<CertificateRenewal[]>("/certificates/renewals?owner=Shop%20team");
    const due = Date.parse(shared.certificate?.not_after ?? "") - 30 * DAY_MS;
    expect(data).toMatchObject([
      {
        action: "renew",
        is_later_than_usual: false,
        owner: "Shop team",
        renewal_method: "acme",
        renewal_note: "Runs on a.",
        renewal_link: "https://wiki.example/shop",
        certificate: { id: shared.certificate?.id },
        endpoint_count: 2,
      },
    ]);
    expect(Math.abs(Date.parse(data[0]?.due_at ?? "") - due)).toBeLessThan(DAY_MS / 24);
    expect(shared.renewal_due_at).toBe(data[0]?.due_at);
  });

  test("can be filtered by owner and paged", async () => {
    expect(await listed(organization, "?owned=false")).toEqual([[null, "c.shop.internal"]]);
    const pages: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const at: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const answer = await organization.read.get<CertificateRenewal[]>(`/certificates/renewals?limit=1${at}`);
      pages.push(...answer.data.map(({ owner }) => owner));
      cursor = answer.pagination?.next_cursor ?? null;
    }
    expect(pages).toEqual([null, "Shop team", "Platform"]);
    expect((await organization.read.get("/certificates/renewals?cursor=none")).status).toBe(400);
    expect((await organization.read.get("/certificates/renewals?days=401")).status).toBe(400);
    expect((await organization.read.get("/certificates/renewals?owner=a&owned=true")).status).toBe(400);
  });

  test("is counted by owner, without those of others", async () => {
    const { data } = await organization.read.get("/certificates/renewals/owners");
    expect(data).toEqual({
      owners: [
        { owner: null, renewals: 1, due: 1, next_due_at: expect.any(String) },
        { owner: "Shop team", renewals: 1, due: 1, next_due_at: expect.any(String) },
        { owner: "Platform", renewals: 1, due: 0, next_due_at: expect.any(String) },
      ],
    });
    expect(await listed(other)).toEqual([["Shop team", "theirs.internal"]]);
  });

  test("is in a calendar of its own, by owner", async () => {
    const asked = { name: "Shop", owner: "Shop team", shows: "renewals" };
    const made = await organization.admin.post<{ url: string }>("/certificates/calendars", asked);
    expect([made.status, made.data]).toMatchObject([201, asked]);
    const { pathname, search } = new URL(made.data.url);
    const { text } = await anonymous(server).get(pathname.replace("/api/v1", "") + search);
    const [line, ...others] = text.split("\r\n").filter((each) => each.startsWith("SUMMARY"));
    expect([line, others]).toEqual(["SUMMARY:Renew certificate: *.shop.internal", []]);
    expect(text.replaceAll("\r\n ", "")).toContain("Renewed by: Shop team");
    expect(text).toContain(`DTSTART:${shared.renewal_due_at?.replace(/[-:]|\.\d+/g, "")}`);
  });

  test("is in exports, which can be imported again", async () => {
    const { text } = await organization.read.get("/certificates/endpoints/export?format=csv&owner=Shop%20team");
    const [head = "", first = ""] = text.split("\r\n");
    expect(head).toContain("owner,renewal_method,renewal_note,renewal_link");
    expect(text).toContain("Shop team,acme,Runs on a.,https://wiki.example/shop");
    const again = { format: "csv", text: `${head}\n${first}\n`, dry_run: true };
    const { data } = await organization.admin.post<{ results: { status: string }[] }>(
      "/certificates/endpoints/bulk/import",
      again,
    );
    expect(data.results.map(({ status }) => status)).toEqual(["unchanged"]);
    const inventory = await organization.read.get("/certificates/export?format=json&name=a.shop.internal");
    expect(JSON.parse(inventory.text)).toMatchObject([{ owners: "Shop team" }]);
  });
});

describe("who renews a certificate", () => {
  test("stays with the endpoint when the certificate is renewed, and a known renewal must be deployed", async () => {
    const own = await newOrganization(server);
    const [old, next] = [await leaf("kept.internal", -80, 90), await leaf("kept.internal", -1, 90)];
    const { id } = await serve(own, "kept.internal", old.pem, { owner: "Ops" });
    expect((await own.admin.post("/certificates", { pem: next.pem })).status).toBe(201);
    await report(own, id, old.pem);
    const { data } = await own.read.get<CertificateRenewal[]>("/certificates/renewals");
    expect(data).toMatchObject([{ action: "deploy", owner: "Ops" }]);
    const renewed = await report(own, id, next.pem);
    expect(renewed).toMatchObject({
      owner: "Ops",
      certificate: { not_after: next.certificate.notAfter.toISOString() },
    });
    expect(await listed(own)).toEqual([]);
    expect(await listed(own, "?days=90")).toEqual([["Ops", "kept.internal"]]);
  });

  test("is changed for many endpoints, and each change is recorded", async () => {
    const { admin } = organization;
    const made = await admin.post<CertificateEndpoint>("/certificates/endpoints", {
      host: `${newId()}.internal`,
      reported: true,
    });
    const change = { ids: [made.data.id, newId()], owner: "Platform", renewal_method: "cloud" };
    const answer = await admin.post<{ results: { status: string }[] }>("/certificates/endpoints/bulk/update", change);
    expect(answer.data.results.map(({ status }) => status)).toEqual(["updated", "failed"]);
    const event = await eventById(server, answer.requestId);
    expect(event?.details).toMatchObject({
      changes: [
        { field: "owner", from: null, to: "Platform" },
        { field: "renewal_method", from: null, to: "cloud" },
      ],
    });
    const now = await admin.get(`/certificates/endpoints/${made.data.id}`);
    expect(now.data).toMatchObject({ owner: "Platform", renewal_method: "cloud", renewal_due_at: null });
    const cleared = await admin.put(`/certificates/endpoints/${made.data.id}`, { owner: null });
    expect(cleared.data).toMatchObject({ owner: null, renewal_method: "cloud" });
    const foreign = await other.admin.post<{ results: { status: string }[] }>("/certificates/endpoints/bulk/update", {
      ids: [made.data.id],
      owner: "Theirs",
    });
    expect(foreign.data.results.map(({ status }) => status)).toEqual(["failed"]);
    const nothing = await admin.post("/certificates/endpoints/bulk/update", { ids: [made.data.id] });
    expect(nothing.status).toBe(400);
  });

  test.each([
    ["owner", ""],
    ["owner", "a".repeat(101)],
    ["renewal_method", "magic"],
    ["renewal_note", "a".repeat(1001)],
    ["renewal_link", "javascript:alert(1)"],
    ["renewal_link", `https://example.com/${"a".repeat(500)}`],
  ])("has bounds: %s", async (field, value) => {
    const answer = await organization.admin.post("/certificates/endpoints", {
      host: "bounds.internal",
      [field]: value,
    });
    expect([answer.status, answer.error?.issues?.[0]?.path]).toEqual([400, field]);
  });
});

test("a renewal that comes later than the earlier ones is a finding, also from the history of before", async () => {
  const own = await newOrganization(server);
  const name = "habit.internal";
  const { id } = await serve(own, name, (await leaf(name, -50, 100)).pem);
  const codes = ({ findings }: CertificateEndpoint) => findings.map(({ code }) => code);
  for (const days of [101, 102, 103]) await report(own, id, (await leaf(name, -50, days)).pem);
  const late = await leaf(name, -90, 150);
  const evidence = { usual_left_share: expect.closeTo(0.5, 1), renewals: 4 };
  const seen = await report(own, id, late.pem);
  expect(codes(seen)).toContain("renewal_later_than_usual");
  expect(seen.findings.find(({ code }) => code === "renewal_later_than_usual")).toMatchObject({
    severity: "info",
    evidence,
  });
  await query(server, "app", "UPDATE certificate_endpoints SET renewal_leads = NULL WHERE id = $1", [id]);
  const again = await report(own, id, late.pem);
  expect(again.findings.find(({ code }) => code === "renewal_later_than_usual")).toMatchObject({ evidence });
  const { data } = await own.read.get<CertificateRenewal[]>("/certificates/renewals?days=60");
  expect(data).toMatchObject([{ is_later_than_usual: true }]);
});
