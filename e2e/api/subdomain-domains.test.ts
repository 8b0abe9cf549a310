import { beforeAll, describe, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { arrange, newDomainName } from "@/e2e/support/stand-ins/small-internet";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { plans } from "@/lib/plans";
import { type Domain, REST_MINUTES } from "@/lib/subdomains/domain-contract";
import { listDomainChoices } from "@/lib/subdomains/list-domains";
import { MINUTE_MS } from "@/lib/time/units";

const server = sharedServer();
let organization: Organization;

beforeAll(async () => {
  organization = await newOrganization(server);
});

async function add({ admin }: Organization, body: object = {}): Promise<Domain> {
  const answer = await admin.post<Domain>("/subdomains/domains", { name: newDomainName(), ...body });
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

describe("adding a domain", () => {
  test("returns the record that verifies it, and starts no discovery before", async () => {
    const name = newDomainName();
    const answer = await organization.admin.post<Domain>("/subdomains/domains", { name: name.toUpperCase() });
    expect(answer.status).toBe(201);
    expect(answer.header("location")).toBe(`/api/v1/subdomains/domains/${answer.data.id}`);
    expect(answer.data).toMatchObject({
      name,
      proof: {
        record_name: `_sealwatch-challenge.${name}`,
        record_value: expect.stringMatching(/^sealwatch-verification=[0-9a-f]{40}$/),
        proven_at: null,
        checked_at: null,
        error: null,
      },
      interval_hours: 24,
      expected_issuers: [],
      names: { new: 0, monitored: 0, ignored: 0 },
    });
    expect(answer.data.sources.map(({ name, state, next_run_at }) => [name, state, next_run_at])).toEqual([
      ["ct_search", "never", null],
      ["ct_public_search", "never", null],
      ["dns", "never", null],
    ]);
    expect(await eventById(server, answer.requestId)).toMatchObject({
      action: "domain.create",
      resource_type: "domain",
      resource_id: answer.data.id,
    });
  });

  test.each([
    ["www.example.com", "registrable"],
    ["co.uk", "public suffix"],
    ["github.io", "public suffix"],
    ["host.internal", "public suffix"],
    ["192.0.2.1", "host name"],
    ["https://example.com", "host name"],
    ["", "host name"],
  ])("%s is refused", async (name, why) => {
    const answer = await organization.admin.post("/subdomains/domains", { name });
    expect([answer.status, answer.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.error.issues).toEqual([{ path: "name", message: expect.stringContaining(why) }]);
  });

  test("a second time is a conflict, but another organization may add it too", async () => {
    const { name } = await add(organization);
    const again = await organization.admin.post("/subdomains/domains", { name });
    expect([again.status, again.error.code]).toEqual([409, "CONFLICT"]);
    const other = await newOrganization(server);
    const theirs = await add(other, { name });
    expect(theirs.proof.record_value).not.toBe((await add(organization)).proof.record_value);
  });

  test("is limited by the plan", async () => {
    const full = await newOrganization(server);
    for (let i = 0; i < plans.free.domains; i++) await add(full);
    const answer = await full.admin.post("/subdomains/domains", { name: newDomainName() });
    expect([answer.status, answer.error]).toMatchObject([
      402,
      { code: "PLAN_LIMIT_REACHED", limit: plans.free.domains, used: plans.free.domains },
    ]);
  });
});

describe("verifying a domain", () => {
  const verify = async ({ id }: Domain, { admin } = organization) => {
    const answer = await admin.post<Domain>(`/subdomains/domains/${id}/verify`);
    expect(answer.status, answer.text).toBe(200);
    return answer.data;
  };

  test("needs its TXT record, and makes every source due", async () => {
    const made = await add(organization);
    const missing = await verify(made);
    expect(missing.proof).toMatchObject({ proven_at: null, checked_at: expect.any(String) });
    expect(missing.proof.error).toBe("no TXT record was found: the name does not exist");

    const { record_name, record_value } = made.proof;
    await arrange(server, { zones: { [record_name]: { txt: ["v=spf1 -all", "sealwatch-verification=another"] } } });
    expect((await verify(made)).proof).toMatchObject({
      proven_at: null,
      error: "the TXT record has another value: “v=spf1 -all”, and 1 more",
    });

    await arrange(server, { zones: { [record_name]: { txt: ["v=spf1 -all", record_value] } } });
    const proven = await verify(made);
    expect(proven.proof).toMatchObject({ proven_at: expect.any(String), error: null });
    for (const { next_run_at } of proven.sources) expect(next_run_at).toEqual(expect.any(String));

    // A verified domain stays verified.
    await arrange(server, { zones: { [record_name]: { fails: "SERVFAIL" } } });
    const later = await verify(made);
    expect(later.proof.proven_at).toBe(proven.proof.proven_at);
    expect(later.proof.error).toBe("no TXT record was found: the name servers failed to look it up");
  });

  test("a source that is removed and added again rests, because it has forgotten when it ran", async () => {
    const made = await add(organization);
    await arrange(server, { zones: { [made.proof.record_name]: { txt: [made.proof.record_value] } } });
    await verify(made);
    const path = `/subdomains/domains/${made.id}`;
    const removed = await organization.admin.put<Domain>(path, { sources: ["dns"] });
    const { data } = await organization.admin.put<Domain>(path, { sources: ["dns", "ct_search"] });
    const next = Date.parse(data.sources[0]?.next_run_at ?? "");
    expect(next - Date.parse(removed.data.updated_at)).toBe(REST_MINUTES * MINUTE_MS);
  });

  test("is separate for each organization: another's record does not count", async () => {
    const mine = await add(organization);
    const other = await newOrganization(server);
    const theirs = await add(other, { name: mine.name });
    await arrange(server, { zones: { [mine.proof.record_name]: { txt: [theirs.proof.record_value] } } });
    expect((await verify(mine)).proof.proven_at).toBeNull();
    expect((await verify(theirs, other)).proof.proven_at).not.toBeNull();
  });

  test("is shown by the choices of a filter: the organization's domains, newest first", async () => {
    const own = await newOrganization(server);
    const [first, second] = [await add(own), await add(own)];
    await arrange(server, { zones: { [first.proof.record_name]: { txt: [first.proof.record_value] } } });
    await verify(first, own);
    expect(await listDomainChoices(systemPrincipal(own.id))).toEqual([
      { id: second.id, name: second.name, provenAt: null },
      { id: first.id, name: first.name, provenAt: expect.any(Date) },
    ]);
  });

  test("is required for discovery", async () => {
    const made = await add(organization);
    const answer = await organization.admin.post(`/subdomains/domains/${made.id}/discover`);
    expect([answer.status, answer.error.code]).toEqual([409, "CONFLICT"]);
  });
});

describe("changing and deleting a domain", () => {
  test("changes the given fields, and keeps the others", async () => {
    const made = await add(organization, { expected_issuers: ["Let's Encrypt"] });
    const path = `/subdomains/domains/${made.id}`;
    const { data } = await organization.admin.put<Domain>(path, { interval_hours: 6, sources: ["dns", "ct_search"] });
    expect(data).toMatchObject({ interval_hours: 6, expected_issuers: ["Let's Encrypt"] });
    expect(data.sources.map(({ name }) => name)).toEqual(["ct_search", "dns"]);
    const refused = await organization.admin.put(path, { interval_hours: 0, sources: [], expected_issuers: [""] });
    expect(refused.error.issues?.map((issue) => issue.path).sort()).toEqual([
      "expected_issuers.0",
      "interval_hours",
      "sources",
    ]);
  });

  test("a deleted domain is gone, and can be added again", async () => {
    const made = await add(organization);
    const path = `/subdomains/domains/${made.id}`;
    expect((await organization.admin.delete<Domain>(path)).data.name).toBe(made.name);
    expect((await organization.read.get(path)).status).toBe(404);
    await add(organization, { name: made.name });
  });

  test("lists have only the organization's domains, newest first, in pages", async () => {
    const own = await newOrganization(server);
    const names = [];
    for (let i = 0; i < 3; i++) names.unshift((await add(own)).name);
    const first = await own.read.get<Domain[]>("/subdomains/domains?limit=2");
    const cursor = first.pagination.next_cursor;
    const rest = await own.read.get<Domain[]>(`/subdomains/domains?limit=2&cursor=${cursor}`);
    expect([...first.data, ...rest.data].map(({ name }) => name)).toEqual(names);
    for (const path of ["", "/verify", "/discover"]) {
      const foreign = await own.admin.request(path === "" ? "GET" : "POST", `/subdomains/domains/${newId()}${path}`);
      expect(foreign.status).toBe(404);
    }
  });
});
