import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resourceChanges } from "@/components/audit-logs/changes/read-changes";
import {
  aResult,
  enroll,
  makeDue,
  newAgent,
  newSigner,
  newState,
  setSteady,
  startAgent,
  stateOf,
} from "@/e2e/support/agent";
import { withKey } from "@/e2e/support/api";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query, whileHeld } from "@/e2e/support/servers/databases";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { sharedServer } from "@/e2e/support/servers/shared";
import { type Authority, makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { closedPort, serveTls, type TestServer } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import type { ApiKey } from "@/lib/api-keys/contract";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Agent, AgentWithSecret } from "@/lib/certificates/agents/agent-contract";
import type { CertificateEndpointDetail } from "@/lib/certificates/contract";
import type { Sighting } from "@/lib/certificates/history-contract";
import type { TrustStoreDetail } from "@/lib/certificates/trust-stores/trust-store-contract";
import { plans } from "@/lib/plans";

const server = sharedServer();
const AGENTS = "/certificates/agents";
const ENDPOINTS = "/certificates/endpoints";
let organization: Organization;
let stranger: Organization;
let authority: Authority;
const testServers: TestServer[] = [];
const running: ReturnType<typeof startAgent>[] = [];

beforeAll(async () => {
  [organization, stranger, authority] = await Promise.all([
    newOrganization(server),
    newOrganization(server),
    makeAuthority("Inside"),
  ]);
});

afterAll(async () => {
  await Promise.all(running.map((agent) => agent.stop("SIGKILL")));
  await Promise.all(testServers.map(({ close }) => close()));
});

function start(...given: Parameters<typeof startAgent>) {
  const agent = startAgent(...given);
  running.push(agent);
  return agent;
}

async function serve(name = "localhost"): Promise<TestServer> {
  const testServer = await serveTls([await authority.leaf({ name, sans: [name] }), authority.intermediate]);
  testServers.push(testServer);
  return testServer;
}

async function give(agent: { id: string }, port: number, more: object = {}): Promise<CertificateEndpointDetail> {
  const body = { host: "localhost", port, agent_id: agent.id, interval_seconds: 60, ...more };
  const answer = await organization.admin.post<CertificateEndpointDetail>(ENDPOINTS, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

const read = async ({ id }: { id: string }) =>
  (await organization.read.get<CertificateEndpointDetail>(`${ENDPOINTS}/${id}`)).data;

/** A module that changes the clock of a program by minutes. */
function otherClock(minutes: number): string {
  const text = `const Real = Date, now = () => Real.now() + ${minutes * 60_000};
    globalThis.Date = class extends Real { constructor(...given) { super(...(given.length ? given : [now()])); } static now = now; };`;
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

/** Forwards connections to the server while it is up. */
async function serveProxy() {
  const port = await lastingPort();
  const open = new Set<Socket>();
  let listening: Server | null = null;
  const down = async () => {
    for (const socket of open) socket.destroy();
    await new Promise((closed) => (listening === null ? closed(null) : listening.close(closed)));
    listening = null;
  };
  const up = async () => {
    listening = createServer((socket) => {
      const other = connect(server.port, "127.0.0.1");
      for (const [from, to] of [
        [socket, other],
        [other, socket],
      ] as const) {
        open.add(from);
        from.on("error", () => to.destroy());
        from.on("close", () => open.delete(from));
        from.pipe(to);
      }
    });
    await new Promise<void>((ready) => listening?.listen(port, "127.0.0.1", ready));
  };
  await up();
  return { url: `http://127.0.0.1:${port}`, up, down };
}

describe("an agent", () => {
  test("checks its endpoints, which are judged like others, with the address, the time and the agent", async () => {
    const store = { name: "Inside", pem: authority.root.pem };
    const trust = await organization.admin.post<TrustStoreDetail>("/certificates/trust-stores", store);
    const agent = await newAgent(organization);
    const testServer = await serve();
    const good = await give(agent, testServer.port, { connect_to: "127.0.0.1", trust_store_id: trust.data.id });
    expect(good).toMatchObject({ agent_id: agent.id, status: "pending", reported: false });
    const bad = await give(agent, testServer.port, { host: "other.test", connect_to: "127.0.0.1" });
    const closed = await give(agent, await closedPort(), { connect_to: "127.0.0.1", protocol: "https" });
    const running = start(server.url, agent, newState());
    await until("all are reported", async () => {
      const states = await Promise.all([good, bad, closed].map((each) => stateOf(organization, each)));
      return states.every((state) => state?.reported_at);
    });
    expect(await read(good)).toMatchObject({
      status: "ok",
      agent_id: agent.id,
      reachability: { state: "reachable" },
      connection: { address: "127.0.0.1", protocol: "TLSv1.3" },
      addresses: [{ address: "127.0.0.1", reason: null }],
      served_chain: [{ common_name: "localhost" }, { common_name: "Inside Intermediate" }],
    });
    expect((await read(bad)).findings.map(({ code }) => code)).toEqual(["hostname_mismatch", "untrusted_root"]);
    // A failure is confirmed by a second check, one minute later.
    await makeDue(organization, closed);
    await until(
      "the failure is confirmed",
      async () => (await stateOf(organization, closed))?.status === "unreachable",
    );
    expect((await read(closed)).findings).toMatchObject([
      { code: "unreachable", evidence: { reason: "connection_refused", address: "127.0.0.1" } },
    ]);
    const { data } = await organization.read.get<Agent>(`${AGENTS}/${agent.id}`);
    expect(data).toMatchObject({ version: "1", endpoint_count: 3, name: agent.name });
    expect(data.last_sequence).toBeGreaterThanOrEqual(2);
    expect(Date.parse(data.last_seen_at ?? "")).toBeGreaterThan(Date.parse(data.created_at));
    expect(await running.stop()).toBe(0);
  });

  test("keeps reports while Sealwatch is away, also over a restart, and sends them when it is back", async () => {
    const proxy = await serveProxy();
    const agent = await newAgent(organization);
    const testServer = await serve("buffered.test");
    const endpoint = await give(agent, testServer.port, { host: "buffered.test", connect_to: "127.0.0.1" });
    const state = newState();
    const first = start(proxy.url, agent, state);
    const reports = join(state, "reports");
    await until("it is reported", async () => (await stateOf(organization, endpoint))?.reported_at);
    // The agent deletes a report after the answer, which the proxy must not cut off.
    await until("the agent has the answer", () => readdirSync(reports).length === 0);
    await proxy.down();
    // Its interval has passed, as far as the agent knows.
    await first.stop("SIGKILL");
    const targets = join(state, "targets.json");
    const known = JSON.parse(readFileSync(targets, "utf8"));
    writeFileSync(targets, JSON.stringify(known.map((each: object) => ({ ...each, due_at: "2026-01-01T00:00:00Z" }))));
    const before = await stateOf(organization, endpoint);
    const second = start(proxy.url, agent, state);
    await until("a report is stored", () => readdirSync(reports).length === 1);
    expect(await second.stop()).toBe(0);
    expect(await stateOf(organization, endpoint)).toEqual(before);
    for (const name of ["identity.json", "targets.json"]) expect(statSync(join(state, name)).mode & 0o077).toBe(0);
    await proxy.up();
    const third = start(proxy.url, agent, state);
    await until("the report is sent", () => readdirSync(reports).length === 0);
    await until("it is recorded", async () => {
      const after = await stateOf(organization, endpoint);
      return Number(after?.reported_at) > Number(before?.reported_at);
    });
    expect(await third.stop()).toBe(0);
    await proxy.down();
  });

  test("is found silent when what it should have checked is overdue, and no longer when it reports", async () => {
    const agent = await newAgent(organization);
    const testServer = await serve("silent.test");
    const endpoint = await give(agent, testServer.port, { host: "silent.test", connect_to: "127.0.0.1" });
    await makeDue(organization, endpoint, 11);
    await until("its endpoint is unreachable", async () => {
      await setSteady(server);
      return (await stateOf(organization, endpoint))?.status === "unreachable";
    });
    expect((await read(endpoint)).findings).toMatchObject([
      { code: "unreachable", severity: "critical", evidence: { reason: "agent_silent" } },
    ]);
    await makeDue(organization, endpoint);
    start(server.url, agent, newState());
    await until("it is reported", async () => (await stateOf(organization, endpoint))?.reported_at);
    expect((await read(endpoint)).findings.map(({ code }) => code)).toEqual(["untrusted_root"]);
  });

  test("is not found silent until it could report for long enough after an outage", async () => {
    const agent = await newAgent(organization);
    const testServer = await serve("outage.test");
    await setSteady(server, true);
    const seen =
      "UPDATE certificate_agents SET last_seen_at = now() - interval '1 hour' WHERE organization_id = $1 AND id = $2";
    await query(server, "app", seen, [organization.id, agent.id]);
    const endpoint = await give(agent, testServer.port, { host: "outage.test", connect_to: "127.0.0.1" });
    const other = await organization.admin.post<{ id: string }>(ENDPOINTS, {
      host: "127.0.0.1",
      port: testServer.port,
    });
    const [now] = await query<{ at: string }>(server, "app", "SELECT to_json(clock_timestamp()) AS at");
    await makeDue(organization, endpoint, 60);
    await makeDue(organization, other.data, 60);
    const silent = async () => (await organization.read.get<Agent>(`${AGENTS}/${agent.id}`)).data.silent_since;
    await until("the worker has looked for silent agents", async () => {
      const ran = `SELECT FROM processes, jsonb_each(jobs) AS job
        WHERE job.key = 'certificates.find-silent-agents' AND (job.value ->> 'last_run_at')::timestamptz > $1`;
      return (await query(server, "app", ran, [now?.at])).length > 0;
    });
    await until("the worker has checked another endpoint that was due", async () => {
      const checked =
        "SELECT FROM certificate_endpoints WHERE organization_id = $1 AND id = $2 AND last_checked_at > $3";
      return (await query(server, "app", checked, [organization.id, other.data.id, now?.at])).length > 0;
    });
    expect(await silent()).toBeNull();
    expect((await stateOf(organization, endpoint))?.status).toBe("pending");
    await until("it is silent", async () => {
      await setSteady(server);
      return (await stateOf(organization, endpoint))?.status === "unreachable";
    });
  });

  test("alerts when it has not been seen for too long, before its endpoints are due, and resolves at once when it is back", async () => {
    const agent = await newAgent(organization);
    const testServer = await serve("gone.test");
    const target = { host: "gone.test", connect_to: "127.0.0.1", interval_seconds: 86_400 };
    const endpoint = await give(agent, testServer.port, target);
    const rule = await organization.admin.post<{ id: string }>("/alert-rules", {
      name: "Silent agents",
      selector: { ids: [endpoint.id] },
      condition: { type: "finding", codes: ["unreachable"] },
      resolve_after_minutes: 0,
      steps: [{}],
    });
    expect(rule.status, rule.text).toBe(201);
    const state = newState();
    const before = start(server.url, agent, state);
    await until("it is reported", async () => (await stateOf(organization, endpoint))?.reported_at);
    await before.stop();
    const alerts = () =>
      query<{ resolved: boolean }>(
        server,
        "app",
        "SELECT resolved_at IS NOT NULL AS resolved FROM alerts WHERE organization_id = $1 AND rule_id = $2",
        [organization.id, rule.data.id],
      );
    expect(await alerts()).toEqual([]);
    await query(
      server,
      "app",
      "UPDATE certificate_agents SET last_seen_at = now() - interval '16 minutes' WHERE organization_id = $1 AND id = $2",
      [organization.id, agent.id],
    );
    await until("it alerts", async () => {
      await setSteady(server);
      return (await alerts()).length === 1;
    });
    const path = `${AGENTS}/${agent.id}`;
    const silent = (await organization.read.get<Agent>(path)).data;
    expect(silent.silent_since).toBe(silent.last_seen_at);
    expect((await read(endpoint)).findings).toMatchObject([
      { code: "unreachable", evidence: { reason: "agent_silent" } },
      { code: "untrusted_root" },
    ]);
    start(server.url, agent, state);
    await until("it is seen again", async () => (await stateOf(organization, endpoint))?.status === "critical");
    expect((await read(endpoint)).findings.map(({ code }) => code)).toEqual(["untrusted_root"]);
    expect((await organization.read.get<Agent>(path)).data.silent_since).toBeNull();
    await until("the alert resolves", async () => (await alerts()).every(({ resolved }) => resolved));
  });

  test("checks an endpoint again at once when what it is judged by changes", async () => {
    const agent = await newAgent(organization);
    const testServer = await serve("judged.test");
    const target = { host: "judged.test", connect_to: "127.0.0.1", interval_seconds: 86_400 };
    const endpoint = await give(agent, testServer.port, target);
    const program = start(server.url, agent, newState());
    const before = await until("it is reported", async () => (await stateOf(organization, endpoint))?.reported_at);
    await organization.admin.put(`${ENDPOINTS}/${endpoint.id}`, { max_lifetime_days: 1 });
    await until("it is reported again", async () => {
      const after = (await stateOf(organization, endpoint))?.reported_at;
      return Number(after) > before.getTime();
    });
    expect((await read(endpoint)).findings.map(({ code }) => code)).toContain("lifetime_exceeds_policy");
    await program.stop();
  });

  test.each([-20, 20])("works with a clock that differs by %d minutes, and says so", async (minutes) => {
    const agent = await newAgent(organization);
    const testServer = await serve("clock.test");
    const endpoint = await give(agent, testServer.port, { host: "clock.test", connect_to: "127.0.0.1" });
    const since = Date.now();
    const running = start(server.url, agent, newState(), { env: { NODE_OPTIONS: `--import=${otherClock(minutes)}` } });
    const reportedAt = await until("it is reported", async () => (await stateOf(organization, endpoint))?.reported_at);
    // The server's clock, from which it learns, has whole seconds.
    expect(reportedAt.getTime()).toBeGreaterThan(since - 2_000);
    expect((await read(endpoint)).certificate?.common_name).toBe("clock.test");
    expect(running.output()).toContain("the clock of this machine is wrong");
    await running.stop();
  });

  test("drops a report that was signed while its clock was ahead, and sends the next one", async () => {
    const agent = await newAgent(organization);
    const testServer = await serve("ahead.test");
    const endpoint = await give(agent, testServer.port, { host: "ahead.test", connect_to: "127.0.0.1" });
    const state = newState();
    const key = generateKeyPairSync("ed25519").privateKey;
    const ahead = { signed_at: new Date(Date.now() + 30 * 24 * 3_600_000).toISOString() };
    const report = newSigner(key).sign(agent.id, 1, [aResult(endpoint.id)], ahead);
    mkdirSync(join(state, "reports"));
    writeFileSync(join(state, "reports", "0000000001.json"), JSON.stringify(report));
    const identity = { private_key: key.export({ type: "pkcs8", format: "pem" }), sequence: 1 };
    writeFileSync(join(state, "identity.json"), JSON.stringify(identity));
    const running = start(server.url, agent, state);
    await until("it is reported", async () => (await stateOf(organization, endpoint))?.reported_at);
    expect(running.output()).toMatch(/"a report was refused","sequence":1,"error":"400 INVALID_REQUEST/);
    expect((await read(endpoint)).certificate?.common_name).toBe("ahead.test");
    await running.stop();
  });

  test("goes on after a power loss that left empty files, and says what to do about its identity", async () => {
    const agent = await newAgent(organization);
    const testServer = await serve("power.test");
    const endpoint = await give(agent, testServer.port, { host: "power.test", connect_to: "127.0.0.1" });
    const state = newState();
    const reports = join(state, "reports");
    mkdirSync(reports);
    for (const file of ["targets.json", "reports/0000000001.json"]) writeFileSync(join(state, file), "");
    const running = start(server.url, agent, state);
    await until("it is reported", async () => (await stateOf(organization, endpoint))?.reported_at);
    await until("the agent has the answer", () => readdirSync(reports).length === 0);
    expect(running.output()).toContain('"a stored report is damaged: it was deleted","report":"0000000001.json"');
    await running.stop();
    writeFileSync(join(state, "identity.json"), "");
    const other = start(server.url, agent, state);
    expect(await other.ended()).toBe(1);
    expect(other.output()).toContain(`Empty ${state}, and start with the new key that POST ${server.url}/api/v1`);
    expect(other.output()).toContain(`${AGENTS}/${agent.id}/credentials returns.\n`);
  });

  test("sends results as they come, although an endpoint makes it wait", async () => {
    const agent = await newAgent(organization);
    const waiting = new Set<Socket>();
    const silent = createServer((socket) => {
      waiting.add(socket);
      socket.on("error", () => {}).on("close", () => waiting.delete(socket));
    });
    await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
    const closed = await closedPort();
    const items = Array.from({ length: 20 }, (_, at) => ({ host: `part-${at}.test`, port: closed }));
    const slow = { host: "slow.test", port: (silent.address() as AddressInfo).port };
    const given = [...items, slow].map((item) => ({ ...item, connect_to: "127.0.0.1", agent_id: agent.id }));
    const added = await organization.admin.post(`${ENDPOINTS}/bulk`, { items: given });
    expect(added.status, added.text).toBe(200);
    start(server.url, agent, newState());
    await until("the others are reported", async () => {
      const reported =
        "SELECT FROM certificate_endpoints WHERE organization_id = $1 AND agent_id = $2 AND reported_at IS NOT NULL";
      return (await query(server, "app", reported, [organization.id, agent.id])).length === items.length;
    });
    expect(waiting.size).toBe(1);
    for (const socket of waiting) socket.destroy();
    silent.close();
  });

  test("ends with a reason if it cannot work", async () => {
    const agent = await newAgent(organization);
    await enroll(organization, agent.id);
    const other = start(server.url, agent, newState());
    expect(await other.ended()).toBe(1);
    expect(other.output()).toContain("has enrolled another key");
    const unnamed = start("nothing", agent, newState());
    expect(await unnamed.ended()).toBe(2);
    // An empty key counts as unset.
    const env = { SEALWATCH_API_KEY: "", SEALWATCH_API_KEY_FILE: "/nowhere/api-key" };
    const keyless = start(server.url, agent, newState(), { env });
    expect([await keyless.ended(), keyless.output()]).toEqual([2, expect.stringContaining("/nowhere/api-key")]);
  });
});

test("a reported endpoint becomes unreachable only once reports could arrive for two intervals", async () => {
  const pem = (await authority.leaf({ sans: ["intranet.test"] })).pem + authority.intermediate.pem;
  const body = { host: "10.0.0.1", sni: "intranet.test", reported: true };
  const { data: made } = await organization.admin.post<CertificateEndpointDetail>(ENDPOINTS, body);
  const reported = await organization.admin.post<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}/report`, { pem });
  const before =
    "UPDATE certificate_endpoints SET reported_at = now() - interval '3 hours' WHERE organization_id = $1 AND id = $2";
  await query(server, "app", before, [organization.id, made.id]);
  const check = async () =>
    (await organization.admin.post<CertificateEndpointDetail>(`${ENDPOINTS}/${made.id}/check`)).data;
  await setSteady(server, true);
  expect(await check()).toMatchObject({ status: "critical", findings: reported.data.findings });
  await setSteady(server);
  expect(await check()).toMatchObject({
    status: "unreachable",
    findings: [{ evidence: { reason: "no_longer_reported" } }, ...reported.data.findings],
  });
});

describe("a report", () => {
  let agent: AgentWithSecret;
  let signer: ReturnType<typeof newSigner>;
  let endpoint: CertificateEndpointDetail;
  const reportsPath = () => `${AGENTS}/${agent.id}/reports`;

  beforeAll(async () => {
    agent = await newAgent(organization);
    signer = await enroll(organization, agent.id);
    endpoint = await give(agent, 443, { host: "reported.internal" });
  });

  /** Sends it as the agent, and expects a refusal without effect. */
  async function expectRefused(body: object, status: number, code: string, path?: string) {
    const before = await stateOf(organization, endpoint);
    const answer = await withKey(server, agent.secret).post(reportsPath(), body);
    expect([answer.status, answer.error.code, answer.error.issues?.[0]?.path]).toEqual([status, code, path]);
    expect(await eventById(server, answer.requestId)).toMatchObject({ error_code: code, api_key_id: agent.api_key_id });
    expect(await stateOf(organization, endpoint)).toEqual(before);
  }

  test("is refused if it is forged, old, of the future or out of bounds", async () => {
    const result = aResult(endpoint.id);
    const day = 24 * 3_600_000;
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const good = signer.sign(agent.id, 1, [result]);
    await expectRefused({ ...good, sequence: 2 }, 403, "INVALID_SIGNATURE");
    await expectRefused(newSigner().sign(agent.id, 1, [result]), 403, "INVALID_SIGNATURE");
    await expectRefused(signer.sign(endpoint.id, 1, [result]), 403, "INVALID_SIGNATURE");
    await expectRefused(signer.sign(agent.id, 1, [result], { signed_at: at(-day - 1000) }), 409, "REPORT_EXPIRED");
    await expectRefused(
      signer.sign(agent.id, 1, [result], { signed_at: at(day) }),
      400,
      "INVALID_REQUEST",
      "signed_at",
    );
    const ahead = { ...result, observed_at: at(day) };
    await expectRefused(signer.sign(agent.id, 1, [ahead]), 400, "INVALID_REQUEST", "results.0.observed_at");
    await expectRefused(signer.sign(agent.id, 1, [result, result]), 400, "INVALID_REQUEST", "results.1.endpoint_id");
    const many = Array.from({ length: 21 }, () => aResult());
    await expectRefused(signer.sign(agent.id, 1, many), 400, "INVALID_REQUEST", "results");
  });

  test("counts once: a repetition is refused, and so is an earlier one", async () => {
    const own = withKey(server, agent.secret);
    const made = signer.sign(agent.id, 5, [aResult(endpoint.id), aResult()]);
    const answer = await own.post<{ recorded: number }>(reportsPath(), made);
    expect([answer.status, answer.data]).toEqual([200, { sequence: 5, recorded: 1, skipped: 1 }]);
    expect((await read(endpoint)).reported_at).not.toBeNull();
    await expectRefused(made, 409, "REPORT_REPLAYED");
    await expectRefused(signer.sign(agent.id, 4, [aResult(endpoint.id)]), 409, "REPORT_REPLAYED");
  });

  test("about a target that has changed since is skipped", async () => {
    const changed = await organization.admin.put(`${ENDPOINTS}/${endpoint.id}`, { port: 444 });
    expect(changed.status).toBe(200);
    const body = signer.sign(agent.id, 6, [aResult(endpoint.id)]);
    const answer = await withKey(server, agent.secret).post(reportsPath(), body);
    expect(answer.data).toEqual({ sequence: 6, recorded: 0, skipped: 1 });
    expect((await stateOf(organization, endpoint))?.reported_at).toBeNull();
  });

  test("with a certificate that cannot be parsed is a failed handshake, like a check by Sealwatch", async () => {
    const timings = { dns_ms: null, connect_ms: 1, tls_ms: 1 };
    const served = {
      outcome: "served",
      address: "10.0.0.1",
      timings,
      protocol: "TLSv1.3",
      cipher: null,
      chain: ["AAAA"],
    };
    for (const sequence of [7, 8]) {
      const result = aResult(endpoint.id, { version: 2, observations: [served] });
      const sent = await withKey(server, agent.secret).post(reportsPath(), signer.sign(agent.id, sequence, [result]));
      expect(sent.data).toMatchObject({ recorded: 1 });
    }
    expect((await read(endpoint)).findings).toMatchObject([
      { code: "tls_handshake_failed", evidence: { reason: "malformed_certificate", address: "10.0.0.1" } },
    ]);
  });

  test("about several addresses: the known certificate stays, and a failure counts once the next report has it, too", async () => {
    const other = await newAgent(organization);
    const signs = await enroll(organization, other.id);
    const target = { host: "several.internal", address_mode: "all", interval_seconds: 86_400 };
    const several = await give(other, 443, target);
    const [one, two] = await Promise.all([authority.leaf(), authority.leaf()]);
    const timings = { dns_ms: null, connect_ms: 1, tls_ms: null };
    const serving = (address: string, { der }: { der: Buffer }) => {
      const chain = [der, authority.intermediate.der].map((each) => each.toString("base64"));
      return { outcome: "served", address, timings, protocol: "TLSv1.3", cipher: null, chain };
    };
    const failing = (address: string) => ({
      ...{ outcome: "failed", address, timings, kind: "unreachable", reason: "timeout", detail: null },
    });
    let sequence = 0;
    const report = async (...observations: object[]) => {
      const signed = signs.sign(other.id, ++sequence, [aResult(several.id, { observations })]);
      const sent = await withKey(server, other.secret).post(`${AGENTS}/${other.id}/reports`, signed);
      expect(sent.data).toMatchObject({ recorded: 1 });
      return read(several);
    };
    const diverges = ({ findings }: CertificateEndpointDetail) =>
      findings.some(({ code }) => code === "address_divergence");
    const [A, B] = ["10.0.0.1", "10.0.0.2"];

    const first = await report(serving(A, one), failing(B));
    expect(diverges(first)).toBe(false);
    // It is checked again soon.
    expect(Date.parse(first.next_check_at) - Date.parse(first.last_checked_at ?? "")).toBeLessThan(3_600_000);
    const confirmed = await report(serving(A, one), failing(B));
    expect(diverges(confirmed)).toBe(true);
    expect(Date.parse(confirmed.next_check_at) - Date.parse(confirmed.last_checked_at ?? "")).toBeGreaterThan(
      3_600_000,
    );
    expect(diverges(await report(serving(A, one), serving(B, one)))).toBe(false);
    const mixed = await report(serving(A, two), serving(B, one));
    expect(diverges(mixed)).toBe(true);
    expect(mixed.certificate?.id).toBe(first.certificate?.id);

    // What is no longer seen after a failure was last seen when that began.
    const lost = await report(failing(A), failing(B));
    await report(failing(A), failing(B));
    await report(serving(A, one), serving(B, one));
    const { data } = await organization.read.get<Sighting[]>(`${ENDPOINTS}/${several.id}/history`);
    expect(data.filter(({ is_current }) => !is_current)).toMatchObject([
      { address: A, last_seen_at: lost.last_checked_at, first_seen_at: mixed.last_checked_at },
    ]);
  });

  test("of another organization or by another agent's key is 404, and results of other endpoints are skipped", async () => {
    const other = await newAgent(organization);
    const hostile = await newAgent(stranger);
    const body = signer.sign(agent.id, 50, [aResult(endpoint.id)]);
    for (const api of [withKey(server, other.secret), withKey(server, hostile.secret), stranger.admin]) {
      expect((await api.post(reportsPath(), body)).status).toBe(404);
      expect((await api.get(`${AGENTS}/${agent.id}/targets`)).status).toBe(404);
    }
    const theirs = await enroll(stranger, hostile.id);
    const foreign = aResult(endpoint.id, { version: 2 });
    const before = await stateOf(organization, endpoint);
    const sent = await stranger.admin.post(`${AGENTS}/${hostile.id}/reports`, theirs.sign(hostile.id, 1, [foreign]));
    expect(sent.data).toEqual({ sequence: 1, recorded: 0, skipped: 1 });
    expect(await stateOf(organization, endpoint)).toEqual(before);
  });

  test("is seen when its own key reads its targets, not when another caller does", async () => {
    const path = `${AGENTS}/${agent.id}`;
    const seen = async () => (await organization.read.get<Agent>(path)).data.last_seen_at;
    const before = await seen();
    expect((await organization.read.get(`${path}/targets`)).status).toBe(200);
    expect(await seen()).toBe(before);
    await withKey(server, agent.secret).get(`${path}/targets`);
    expect(await seen()).not.toBe(before);
  });

  test("with a key of the scope `agent` is all that the key may do", async () => {
    const own = withKey(server, agent.secret);
    expect((await own.get(`${AGENTS}/${agent.id}/targets`)).data).toMatchObject([
      { endpoint_id: endpoint.id, port: 444 },
    ]);
    for (const [method, path] of [
      ["GET", AGENTS],
      ["DELETE", `${AGENTS}/${agent.id}`],
      ["POST", `${AGENTS}/${agent.id}/credentials`],
      ["GET", ENDPOINTS],
      ["GET", "/api-keys"],
    ] as const) {
      const answer = await own.request(method, path);
      expect([path, answer.status, answer.error.code]).toEqual([path, 403, "OUT_OF_SCOPE"]);
    }
  });
});

describe("agents are managed", () => {
  test("credentials are replaced, and an agent is deleted once it checks nothing; its key is revoked with it", async () => {
    const agent = await newAgent(organization);
    await enroll(organization, agent.id);
    const endpoint = await give(agent, 443, { host: "managed.internal" });
    const replaced = await organization.admin.post<AgentWithSecret>(`${AGENTS}/${agent.id}/credentials`);
    expect(replaced.data).toMatchObject({ enrolled_at: null, id: agent.id });
    const event = await eventById(server, replaced.requestId);
    expect(event?.flags).toEqual(["key_revoked", "key_created"]);
    expect(event?.details?.resource_ids).toEqual([agent.api_key_id, replaced.data.api_key_id]);
    expect((await withKey(server, agent.secret).get(`${AGENTS}/${agent.id}`)).error.code).toBe("API_KEY_REVOKED");
    expect((await withKey(server, replaced.data.secret).get(`${AGENTS}/${agent.id}`)).status).toBe(200);
    expect((await organization.admin.delete(`${AGENTS}/${agent.id}`)).status).toBe(409);
    await organization.admin.delete(`${ENDPOINTS}/${endpoint.id}`);
    expect((await organization.admin.delete(`${AGENTS}/${agent.id}`)).status).toBe(200);
    const history = new URLSearchParams(resourceChanges(["api_key"], [replaced.data.api_key_id]));
    const { data: changes } = await organization.read.get<AuditEvent[]>(`/audit-logs?${history}`);
    expect(changes.map(({ resource }) => resource.action)).toEqual([
      "certificate_agent.delete",
      "certificate_agent.replace_credentials",
    ]);
    const key = await organization.read.get<ApiKey>(`/api-keys/${replaced.data.api_key_id}`);
    expect(key.data.status).toBe("revoked");
  });

  test("credentials are replaced in an organization with more keys than its plan allows", async () => {
    const own = await newOrganization(server);
    const agent = await newAgent(own);
    await query(
      server,
      "app",
      `INSERT INTO api_keys SELECT (jsonb_populate_record(k, jsonb_build_object('id', gen_random_uuid()))).*
       FROM api_keys k, generate_series(1, $3::integer) WHERE organization_id = $1 AND id = $2`,
      [own.id, agent.api_key_id, plans.free.api_keys],
    );
    const path = `${AGENTS}/${agent.id}/credentials`;
    const replaced = await own.admin.post<AgentWithSecret>(path);
    expect(replaced.status, replaced.text).toBe(200);
    await own.admin.delete(`/api-keys/${replaced.data.api_key_id}`);
    expect((await own.admin.post(path)).error.code).toBe("PLAN_LIMIT_REACHED");
  });

  test("an endpoint is added for an agent while another change locks the agent, then the organization", async () => {
    const own = await newOrganization(server);
    const agent = await newAgent(own);
    const held = {
      first: "SELECT FROM certificate_agents WHERE organization_id = $1 AND id = $2 FOR UPDATE",
      last: "SELECT FROM organizations WHERE id = $1 AND $2::uuid IS NOT NULL FOR NO KEY UPDATE",
      values: [own.id, agent.id],
      waiting: 1,
    };
    const body = { host: "ordered.internal", agent_id: agent.id };
    expect((await whileHeld(server, held, () => own.admin.post(ENDPOINTS, body))).status).toBe(201);
  });

  test("an endpoint names an agent of its organization that can check it", async () => {
    const agent = await newAgent(organization);
    const foreign = await newAgent(stranger);
    for (const more of [
      { agent_id: foreign.id },
      { agent_id: agent.id, reported: true },
      { agent_id: agent.id, protocol: "smtp" },
    ]) {
      const body = { host: "refused.internal", ...more };
      const created = await organization.admin.post(ENDPOINTS, body);
      expect([created.status, created.error.issues?.[0]?.path]).toEqual([400, "agent_id"]);
      const bulk = await organization.admin.post<{ results: object[] }>(`${ENDPOINTS}/bulk`, { items: [body] });
      expect(bulk.data.results).toMatchObject([{ status: "failed", error: expect.stringMatching(/^agent_id: /) }]);
    }
    expect((await organization.admin.post(AGENTS, { name: agent.name })).error.code).toBe("CONFLICT");
  });
});
