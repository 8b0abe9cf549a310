import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { makeAuthority, makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { newId } from "@/lib/ids";
import type { UptimeCheck } from "@/lib/uptime/checks-contract";
import type { Monitor } from "@/lib/uptime/contract";
import type { Incident, IncidentDetail } from "@/lib/uptime/incidents/contract";
import type { BulkResult } from "@/lib/uptime/monitors/bulk-contract";

const server = sharedServer();
let organization: Organization;
/** A site that answers 401 to all but `Authorization: Basic YTpzM2NyZXQ=` (a:s3cret) and echoes what it got. */
let target: string;
const closers: (() => void)[] = [];

beforeAll(async () => {
  organization = await newOrganization(server);
  target = await listen(createHttpServer(echo), "http");
});
afterAll(() => {
  for (const close of closers) close();
});

const echo: RequestListener = (request, response) => {
  const { authorization = "" } = request.headers;
  response.writeHead(authorization === "Basic YTpzM2NyZXQ=" ? 200 : 401).end(`got ${authorization}`);
};

async function listen(site: ReturnType<typeof createHttpServer | typeof createHttpsServer>, scheme: string) {
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  closers.push(() => site.close().closeAllConnections());
  return `${scheme}://127.0.0.1:${(site.address() as AddressInfo).port}/`;
}

const body = (input: object) => ({
  name: newId(),
  type: "http",
  target,
  interval_seconds: 3600,
  failure_threshold: 1,
  ...input,
});
const basic = (password: string) => ({ type: "basic", username: "a", password });

async function watch(input: object): Promise<Monitor> {
  const answer = await organization.admin.post<Monitor>("/uptime", body(input));
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

interface Stored {
  headers: object;
  header_names: string[];
  authentication: object;
  secrets: Buffer | null;
}

async function stored(id: string): Promise<Stored | undefined> {
  const columns = "SELECT headers, header_names, authentication, secrets FROM uptime_monitors WHERE id = $1";
  return (await query<Stored>(server, "app", columns, [id]))[0];
}

describe("secrets", () => {
  test("are sent, encrypted in the database, and neither shown nor kept as evidence", async () => {
    const made = await watch({ authentication: basic("s3cret"), headers: { "x-token": "t0ken" } });
    expect(made).toMatchObject({
      status: "up",
      authentication: { type: "basic", username: "a", certificate: null },
      header_names: ["x-token"],
    });
    expect(JSON.stringify(made)).not.toMatch(/s3cret|t0ken/);
    const row = await stored(made.id);
    expect(row).toMatchObject({ headers: {}, header_names: ["x-token"], authentication: { type: "basic" } });
    expect(row?.secrets?.toString("latin1")).not.toMatch(/s3cret|t0ken/);

    const changed = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { authentication: basic("wr0ng") });
    expect(changed.data).toMatchObject({ status: "down", header_names: ["x-token"] });
    const { data: incidents } = await organization.read.get<Incident[]>(`/uptime/incidents?monitor_id=${made.id}`);
    const { data: incident } = await organization.read.get<IncidentDetail>(`/uptime/incidents/${incidents[0]?.id}`);
    expect(incident.evidence).toMatchObject({ status_code: 401, body: "got Basic (hidden)" });
  });

  test("stay when other fields change, and are recorded without their values", async () => {
    const made = await watch({ authentication: basic("s3cret"), paused: true });
    const before = await stored(made.id);
    await organization.admin.put(`/uptime/${made.id}`, { tags: ["x"] });
    expect((await stored(made.id))?.secrets).toEqual(before?.secrets);
    const changed = await organization.admin.put(`/uptime/${made.id}`, { authentication: basic("other") });
    const { details } = await eventById(server, changed.requestId);
    expect(details).toMatchObject({ changes: [{ field: "authentication", secret: true }] });
    const token = { type: "bearer", token: "t0ken" };
    const replaced = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { authentication: token });
    expect(replaced.data.authentication).toEqual({ type: "bearer", username: null, certificate: null });
    const cleared = await organization.admin.put(`/uptime/${made.id}`, { authentication: { type: "none" } });
    expect(cleared.status).toBe(200);
    expect(await stored(made.id)).toMatchObject({ authentication: {}, secrets: null });
  });

  test("must be given again for another origin, with an issue for each", async () => {
    const made = await watch({ authentication: basic("s3cret"), headers: { "x-a": "b" }, paused: true });
    const elsewhere = { target: "https://other.example.test/" };
    const refused = await organization.admin.put(`/uptime/${made.id}`, elsewhere);
    expect(refused.status).toBe(400);
    expect(refused.error.issues?.map(({ path }) => path)).toEqual(["headers", "authentication"]);
    const again = { ...elsewhere, headers: {}, authentication: { type: "none" } };
    expect((await organization.admin.put(`/uptime/${made.id}`, again)).status).toBe(200);
  });

  test("of another ENCRYPTION_KEY fail the check and say so; the monitor can still be changed", async () => {
    const made = await watch({ authentication: basic("s3cret") });
    const other = await watch({ authentication: basic("s3cret") });
    const copied =
      "UPDATE uptime_monitors SET secrets = (SELECT secrets FROM uptime_monitors WHERE id = $2) WHERE id = $1";
    await query(server, "app", copied, [made.id, other.id]);
    const checked = await organization.admin.post<UptimeCheck>(`/uptime/${made.id}/check`);
    expect(checked.data).toMatchObject({ ok: false, reason: "secrets_unreadable" });
    const renamed = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { name: newId() });
    expect(renamed.data.authentication.type).toBe("basic");
    const given = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { authentication: basic("s3cret") });
    expect(given.data.status).toBe("up");
  });

  test("in bulk are encrypted too, and the same again changes nothing", async () => {
    const items = [body({ authentication: basic("s3cret"), paused: true }), body({ paused: true })];
    const send = () => organization.admin.post<{ results: BulkResult[] }>("/uptime/bulk", { items });
    const made = await send();
    expect(made.data.results.map(({ status }) => status)).toEqual(["created", "created"]);
    const [first, second] = await Promise.all(made.data.results.map(({ id }) => stored(id ?? "")));
    expect(first?.secrets?.toString("latin1")).not.toContain("s3cret");
    expect(second?.secrets).toBeNull();
    const again = await send();
    expect(again.data.results.map(({ status }) => status)).toEqual(["unchanged", "unchanged"]);
  });

  test("headers of an earlier release are named, and win over encrypted ones", async () => {
    const made = await watch({ authentication: basic("s3cret"), headers: { "x-a": "old" } });
    const plain = "UPDATE uptime_monitors SET headers = $2 WHERE id = $1";
    await query(server, "app", plain, [made.id, { authorization: "Basic wr0ng" }]);
    const shown = await organization.read.get<Monitor>(`/uptime/${made.id}`);
    expect(shown.data).toMatchObject({ header_names: ["authorization"], authentication: { username: "a" } });
    const checked = await organization.admin.post<UptimeCheck>(`/uptime/${made.id}/check`);
    expect(checked.data).toMatchObject({ ok: false, status_code: 401 });
    const tagged = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { headers: { "x-b": "new" } });
    expect(tagged.data).toMatchObject({ status: "up", header_names: ["x-b"] });
    expect(await stored(made.id)).toMatchObject({ headers: {} });
  });
});

describe("a client certificate", () => {
  test("is shown to a site that asks for it, also if it has expired", async () => {
    const { root, intermediate, leaf } = await makeAuthority("Clients");
    const site = await makeCertificate({ name: "site.test", sans: ["127.0.0.1"] });
    const asked = { key: site.keyPem, cert: site.pem, ca: root.pem, requestCert: true, rejectUnauthorized: false };
    const app = createHttpsServer(asked, (request, response) => {
      const { authorized } = request.socket as TLSSocket;
      response.writeHead(authorized ? 200 : 403).end();
    });
    const url = await listen(app, "https");
    const input = { target: url, verify_tls: false };
    expect(await watch(input)).toMatchObject({ status: "down", last_check: { status_code: 403 } });
    const clientOf = async (overrides: object) => {
      const { pem, keyPem } = await leaf({ name: "probe", ...overrides });
      return { type: "client_certificate", certificate: pem + intermediate.pem, private_key: keyPem };
    };
    const made = await watch({ ...input, authentication: await clientOf({}) });
    expect(made).toMatchObject({
      status: "up",
      authentication: { type: "client_certificate", username: null, certificate: { subject: "CN=probe" } },
    });
    const expired = await clientOf({ fromDays: -10, untilDays: -1 });
    const changed = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { authentication: expired });
    expect(changed.data).toMatchObject({ status: "down", last_check: { status_code: 403 } });
    expect(Date.parse(changed.data.authentication.certificate?.not_after ?? "")).toBeLessThan(Date.now());
  });

  test("that cannot be used is refused by field, with the faults of other fields", async () => {
    const { leaf } = await makeAuthority("Clients");
    const [one, two] = [await leaf({ name: "one" }), await leaf({ name: "two" })];
    const certificate = { type: "client_certificate", certificate: one.pem, private_key: one.keyPem };
    const https = { target: "https://site.example.test/" };
    const wrong: [object, string[]][] = [
      [{ ...https, authentication: { ...certificate, private_key: two.keyPem } }, ["authentication.private_key"]],
      [
        { ...https, authentication: { ...certificate, certificate: "none", private_key: "none" } },
        ["authentication.certificate", "authentication.private_key"],
      ],
      [{ target: "http://site.example.test/", authentication: certificate }, ["authentication"]],
      [{ target: "http://192.0.2.1/", ip_version: "6" }, ["ip_version", "target"]],
      [{ type: "tcp", target: "[2606:4700::1]:1", ip_version: "4" }, ["ip_version"]],
      [{ type: "tcp", target: "site.example.test:1", authentication: basic("x") }, ["authentication"]],
      [{ ...https, authentication: basic("x"), headers: { AUTHORIZATION: "y" } }, ["headers"]],
      [
        { target: "http://10.0.0.1/", expected_pattern: "a(?=b)", timeout_seconds: 0, request_body: "x" },
        ["expected_pattern", "request_body", "target", "timeout_seconds"],
      ],
      [
        { target: "nowhere", authentication: { type: "basic", username: "a:b", password: "" } },
        ["authentication.password", "authentication.username", "target"],
      ],
    ];
    for (const [input, paths] of wrong) {
      const refused = await organization.admin.post("/uptime", body(input));
      expect([refused.status, refused.error.issues?.map(({ path }) => path).sort()]).toEqual([400, paths]);
    }
  });
});

test("another organization sees nothing of it, and cannot change it", async () => {
  const made = await watch({ authentication: basic("s3cret"), paused: true });
  const other = await newOrganization(server);
  const path = `/uptime/${made.id}`;
  const answers = [await other.admin.get(path), await other.admin.put(path, { authentication: { type: "none" } })];
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
});
