import { mkdtempSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDue, newAgent, newState, startAgent, stateOf } from "@/e2e/support/agent";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { sharedServer } from "@/e2e/support/servers/shared";
import { KEYSTORE_PASSWORD, keystore, legacyKeystore } from "@/e2e/support/stand-ins/keystores";
import { type Authority, makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { until } from "@/e2e/support/until";
import type { AgentWithSecret } from "@/lib/certificates/agents/agent-contract";
import type { CertificateEndpointDetail } from "@/lib/certificates/contract";

const server = sharedServer();
const ENDPOINTS = "/certificates/endpoints";
let organization: Organization;
let authority: Authority;
const running: ReturnType<typeof startAgent>[] = [];
const newFolder = () => mkdtempSync(join(tmpdir(), "sealwatch-files-"));

beforeAll(async () => {
  [organization, authority] = await Promise.all([newOrganization(server), makeAuthority("Files")]);
});

afterAll(() => Promise.all(running.map((agent) => agent.stop())));

function start(agent: AgentWithSecret, options: Parameters<typeof startAgent>[3]) {
  const started = startAgent(server.url, agent, newState(), options);
  running.push(started);
  return started;
}

async function give({ id }: AgentWithSecret, host: string, connect_to: string): Promise<CertificateEndpointDetail> {
  const body = { host, connect_to, agent_id: id };
  const answer = await organization.admin.post<CertificateEndpointDetail>(ENDPOINTS, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

const read = async ({ id }: { id: string }) =>
  (await organization.read.get<CertificateEndpointDetail>(`${ENDPOINTS}/${id}`)).data;

const reported = (endpoint: { id: string }) =>
  until("it is reported", async () => (await stateOf(organization, endpoint))?.reported_at);

/** A failure is confirmed by a second check, which would come a minute later. */
async function reasonOf(endpoint: { id: string }): Promise<unknown> {
  await reported(endpoint);
  await makeDue(organization, endpoint);
  await until("it is confirmed", async () => (await stateOf(organization, endpoint))?.status === "unreachable");
  return (await read(endpoint)).findings[0]?.evidence.reason;
}

test("an agent reads files of certificates, and reports a changed file at once", async () => {
  const [folder, elsewhere] = [newFolder(), newFolder()];
  const agent = await newAgent(organization);
  const path = join(folder, "fullchain.pem");
  const pemOf = async () => {
    const leaf = await authority.leaf({ name: "file.test", sans: ["file.test"] });
    return { leaf, pem: leaf.keyPem + leaf.pem + authority.intermediate.pem };
  };
  const first = await pemOf();
  writeFileSync(path, first.pem);
  writeFileSync(join(folder, "modern.p12"), keystore);
  writeFileSync(join(folder, "legacy.p12"), legacyKeystore);
  writeFileSync(join(folder, "empty.pem"), "nothing\n");
  writeFileSync(join(elsewhere, "other.pem"), first.pem);
  symlinkSync(join(elsewhere, "other.pem"), join(folder, "link.pem"));
  writeFileSync(join(elsewhere, "password"), `${KEYSTORE_PASSWORD}\n`);
  const endpoint = await give(agent, "file.test", `file:${path}`);
  const modern = await give(agent, "keystore.test", `file:${join(folder, "modern.p12")}`);
  const wrong: [string, CertificateEndpointDetail][] = [];
  for (const [reason, file] of [
    ["unsupported_encryption", join(folder, "legacy.p12")],
    ["no_certificate", join(folder, "empty.pem")],
    ["file_not_found", join(folder, "none.pem")],
    ["not_allowed", join(elsewhere, "other.pem")],
    ["not_allowed", join(folder, "link.pem")],
    ["not_allowed", `${folder}/../../etc/passwd`],
  ] as const)
    wrong.push([reason, await give(agent, `w${wrong.length}.test`, `file:${file}`)]);
  const args = ["--files", folder, "--pkcs12-password-file", join(elsewhere, "password")];
  start(agent, { args });

  await Promise.all([reported(endpoint), reported(modern)]);
  const seen = await read(endpoint);
  expect(seen.served_chain.map(({ common_name }) => common_name)).toEqual(["file.test", "Files Intermediate"]);
  expect(seen).toMatchObject({ connection: null, addresses: [{ address: null, reason: null }] });
  expect(seen.findings.map(({ code }) => code)).toEqual(["untrusted_root"]);
  const opened = (await read(modern)).served_chain.map(({ common_name }) => common_name);
  expect(opened).toEqual(["keystore.test", "Keystore Root"]);
  for (const [reason, each] of wrong)
    expect([each.connect_to, await reasonOf(each)]).toEqual([each.connect_to, reason]);

  // It is due again in an hour, but the file changes.
  const second = await pemOf();
  writeFileSync(join(folder, "new"), second.pem);
  renameSync(join(folder, "new"), path);
  await until("the change is reported", async () => {
    const state = await stateOf(organization, endpoint);
    return state?.certificate_id !== seen.certificate?.id;
  });
  expect((await read(endpoint)).findings.map(({ code }) => code)).toContain("certificate_changed");
});

test("an agent says if its password is wrong", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "store.p12"), keystore);
  const agent = await newAgent(organization);
  const endpoint = await give(agent, "password.test", `file:${join(folder, "store.p12")}`);
  start(agent, { args: ["--files", folder] });
  expect(await reasonOf(endpoint)).toBe("wrong_password");
});

test("only an agent can read files and secrets", async () => {
  for (const connect_to of ["file:/etc/ssl/server.pem", "kubernetes:shop/tls"]) {
    const { status, error } = await organization.admin.post(ENDPOINTS, { host: "local.test", connect_to });
    expect([status, error.issues?.[0]?.path]).toEqual([400, "connect_to"]);
  }
  const agent = await newAgent(organization);
  for (const connect_to of ["file:relative.pem", "kubernetes:Shop/tls", "http://10.0.0.1/"]) {
    const body = { host: "local.test", connect_to, agent_id: agent.id };
    const { status, error } = await organization.admin.post(ENDPOINTS, body);
    expect([status, error.issues?.[0]?.path]).toEqual([400, "connect_to"]);
  }
});
