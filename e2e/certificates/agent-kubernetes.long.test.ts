import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDue, newAgent, newState, startAgent, stateOf } from "@/e2e/support/agent";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { sharedServer } from "@/e2e/support/servers/shared";
import { Kubernetes } from "@/e2e/support/stand-ins/kubernetes";
import { type Authority, makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { until } from "@/e2e/support/until";
import type { AgentWithSecret } from "@/lib/certificates/agents/agent-contract";
import type { CertificateEndpointDetail } from "@/lib/certificates/contract";

const server = sharedServer();
const ENDPOINTS = "/certificates/endpoints";
let organization: Organization;
let authority: Authority;
let cluster: Kubernetes;
let agent: AgentWithSecret;
let inside: ReturnType<typeof startAgent>;

beforeAll(async () => {
  [organization, authority, cluster] = await Promise.all([
    newOrganization(server),
    makeAuthority("Secrets"),
    Kubernetes.start(),
  ]);
  agent = await newAgent(organization);
  inside = startAgent(server.url, agent, newState(), {
    args: ["--service-account", cluster.account],
    env: cluster.env,
  });
});

afterAll(async () => {
  await inside?.stop();
  await cluster?.stop();
});

/** Puts a new certificate for a host into a secret. */
async function fill(host: string, secret: string): Promise<void> {
  const leaf = await authority.leaf({ name: host, sans: [host] });
  cluster.secrets.set(secret, { "tls.crt": leaf.pem + authority.intermediate.pem, "tls.key": leaf.keyPem });
}

async function watch(host: string, secret: string): Promise<CertificateEndpointDetail> {
  const body = { host, connect_to: `kubernetes:${secret}`, agent_id: agent.id };
  const answer = await organization.admin.post<CertificateEndpointDetail>(ENDPOINTS, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

const read = async ({ id }: { id: string }) =>
  (await organization.read.get<CertificateEndpointDetail>(`${ENDPOINTS}/${id}`)).data;
const certificateOf = async (endpoint: { id: string }) => (await stateOf(organization, endpoint))?.certificate_id;
const reported = (endpoint: { id: string }) => until("it is reported", () => certificateOf(endpoint));

/** A failure is confirmed by a second check, which would come a minute later. */
async function reasonOf(endpoint: { id: string }): Promise<unknown> {
  await until("it was tried", async () => (await stateOf(organization, endpoint))?.reported_at);
  await until("it is confirmed", async () => {
    await makeDue(organization, endpoint);
    return (await stateOf(organization, endpoint))?.status === "unreachable";
  });
  return (await read(endpoint)).findings[0]?.evidence.reason;
}

/** Waits until the agent reports another certificate than before, which it must have read with the present token. */
async function renewed(endpoint: { id: string }, host: string, secret: string): Promise<void> {
  const before = await certificateOf(endpoint);
  await fill(host, secret);
  await until("the new one is reported", async () => (await certificateOf(endpoint)) !== before);
}

test("an agent reads TLS secrets with the service account of its pod, and nothing else of the cluster", async () => {
  await fill("secret.test", "shop/tls");
  cluster.secrets.set("shop/none", null);
  const endpoint = await watch("secret.test", "shop/tls");
  const [missing, forbidden] = [
    await watch("missing.test", "shop/none"),
    await watch("forbidden.test", "kube-system/tls"),
  ];
  await reported(endpoint);
  const { served_chain, findings } = await read(endpoint);
  expect(served_chain.map(({ common_name }) => common_name)).toEqual(["secret.test", "Secrets Intermediate"]);
  expect(findings.map(({ code }) => code)).toEqual(["untrusted_root"]);
  expect(await reasonOf(missing)).toBe("secret_not_found");
  expect(await reasonOf(forbidden)).toBe("permission_denied");
  const urls = new Set(cluster.asked.map(({ url }) => url));
  const secrets = ["shop/secrets/tls", "shop/secrets/none", "kube-system/secrets/tls"];
  expect(urls).toEqual(new Set(secrets.map((path) => `/api/v1/namespaces/${path}`)));
});

test("an agent goes on after its token and the cluster's authority are rotated", async () => {
  await fill("rotated.test", "shop/rotated");
  const endpoint = await watch("rotated.test", "shop/rotated");
  await reported(endpoint);
  await cluster.renew();
  await renewed(endpoint, "rotated.test", "shop/rotated");
  expect(cluster.asked.at(-1)).toMatchObject({ token: "token-2", status: 200 });
  await cluster.renew(await makeAuthority("Next cluster"));
  await renewed(endpoint, "rotated.test", "shop/rotated");
  expect(cluster.asked.at(-1)).toMatchObject({ token: "token-3", status: 200 });
});

test.each([
  { code: 429, reason: "TooManyRequests" },
  { code: 410, reason: "Expired" },
  { code: 503, reason: "ServiceUnavailable" },
])("an API server that answers $code is a failure that ends with it", async (failing) => {
  const name = `failing-${failing.code}`;
  await fill(`${name}.test`, `shop/${name}`);
  const endpoint = await watch(`${name}.test`, `shop/${name}`);
  await reported(endpoint);
  cluster.failing = failing;
  try {
    expect(await reasonOf(endpoint)).toBe("error");
    expect((await read(endpoint)).findings[0]?.evidence.detail).toBe(`HTTP ${failing.code}`);
  } finally {
    cluster.failing = null;
  }
  await until("it is reachable again", async () => {
    await makeDue(organization, endpoint);
    return (await stateOf(organization, endpoint))?.status === "critical";
  });
});
