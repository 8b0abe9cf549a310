import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import { storeMany } from "@/e2e/audit/store";
import { Follower } from "@/e2e/faults/follower";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { Cluster } from "@/e2e/support/servers/cluster";
import { query } from "@/e2e/support/servers/databases";
import { hasRedis, type RedisServer, startRedis } from "@/e2e/support/servers/redis";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { type Mailbox, startMailbox } from "@/e2e/support/stand-ins/mailbox";
import { newReceiver, type Receiver } from "@/e2e/support/stand-ins/receiver";
import { arrange, newDomainName, startSmallInternet } from "@/e2e/support/stand-ins/small-internet";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { serveTcp, serveTls } from "@/e2e/support/stand-ins/test-servers";
import { startTimeStampAuthority } from "@/e2e/support/stand-ins/time-stamp-authority";
import { type StandInWitness, startWitness } from "@/e2e/support/stand-ins/witness";
import { until } from "@/e2e/support/until";
import type { NotificationChannel } from "@/lib/notification-channels/contract";
import type { Domain } from "@/lib/subdomains/domain-contract";

/** The name of all connections of this test process, so that faults can spare them. */
export const APPLICATION_NAME = "fault-test";
process.env.PGAPPNAME = APPLICATION_NAME;

/** Long enough for checks to be in progress when a fault begins. */
const ANSWER_MS = 300;
/** More than fit into the buffers of a connection that nobody reads: 20 MB and more. */
const LONG_LOG = { count: 12_000, path: `/long/${"x".repeat(1_000)}/` };
/** Ten times as many as all faults of a test take down together, which may happen within five minutes. */
const HEALTHY_MONITORS = 2_000;
const ENDPOINTS = 5;

/** A web site: `/down/…` and the paths in `down` answer 500, everything else 200. Counts its requests by path. */
export interface Site {
  url: string;
  down: Set<string>;
  asked: Map<string, number>;
}

/** A TLS server at every address of 127.0.0.0/8. */
interface TlsTarget {
  port: number;
  /** Serves a new certificate from now on; returns its SHA-256 in hexadecimal. */
  renew: () => Promise<string>;
}

/** A Sealwatch with its own breakable dependencies, two tenants, and a small world for them to monitor. */
export interface Environment {
  server: Sealwatch;
  monitoring: Cluster;
  audit: Cluster;
  redis: RedisServer | null;
  /** The organization whose work is checked. */
  tenant: Organization;
  /** The organization that overloads everything. */
  neighbour: Organization;
  /** The organization with a long log. */
  reader: SignedIn;
  /** The organization that sends requests and whose log is followed. */
  person: SignedIn;
  follower: Follower;
  receiver: Receiver;
  mailbox: Mailbox;
  witness: StandInWitness;
  channel: NotificationChannel;
  site: Site;
  tls: TlsTarget;
  /** Accepts connections and sends nothing, at every address of 127.0.0.0/8. */
  silentPort: number;
  domain: Domain;
  destroy: () => Promise<void>;
}

async function startSite(): Promise<Site & { close: () => void }> {
  const asked = new Map<string, number>();
  const down = new Set<string>();
  const server = createServer(({ url = "" }, response) => {
    asked.set(url, (asked.get(url) ?? 0) + 1);
    const status = url.startsWith("/down/") || down.has(url) ? 500 : 200;
    setTimeout(() => response.writeHead(status).end(), ANSWER_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, down, close: () => server.close().closeAllConnections() };
}

async function startTlsTarget() {
  const renewed = () => makeCertificate({ name: "farm", sans: ["*.farm.test"] });
  const first = await renewed();
  let context = createSecureContext({ key: first.keyPem, cert: first.pem });
  const SNICallback = (_: string, done: (error: Error | null, context?: SecureContext) => void) => {
    setTimeout(() => done(null, context), ANSWER_MS);
  };
  const { port, close } = await serveTls([first], { SNICallback }, "0.0.0.0");
  const renew = async () => {
    const made = await renewed();
    context = createSecureContext({ key: made.keyPem, cert: made.pem });
    return Buffer.from(await crypto.subtle.digest("SHA-256", new Uint8Array(made.der))).toString("hex");
  };
  return { port, renew, close };
}

/** Monitors that are up and not due, so that a few failures are not a mass failure. */
async function addHealthyMonitors(server: Sealwatch, { id }: Organization): Promise<void> {
  await query(
    server,
    "app",
    `INSERT INTO uptime_monitors (organization_id, id, name, type, target, method, headers, expected_status, follow_redirects,
       interval_seconds, timeout_seconds, failure_threshold, recovery_threshold, tags, status, status_since, next_check_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'Healthy ' || n, 'tcp', '127.0.0.1:1', 'GET', '{}', '{}', false, 3600, 10, 1, 1, '{}', 'up', now(),
       now() + interval '1 year', now(), now() FROM generate_series(1, $2::integer) AS n`,
    [id, HEALTHY_MONITORS],
  );
}

async function addDomain(server: Sealwatch, { admin }: Organization): Promise<Domain> {
  const name = newDomainName();
  const { data } = await admin.post<Domain>("/subdomains/domains", { name });
  const { record_name, record_value } = data.proof;
  await arrange(server, { zones: { [record_name]: { txt: [record_value] } } });
  return (await admin.post<Domain>(`/subdomains/domains/${data.id}/verify`)).data;
}

async function addEndpoints(server: Sealwatch, { admin, id }: Organization, { port }: TlsTarget): Promise<void> {
  for (let n = 0; n < ENDPOINTS; n++) {
    await admin.post("/certificates/endpoints", { host: "127.0.0.1", port, sni: `n${n}.farm.test` });
  }
  await until("all endpoints were checked", async () => {
    const text =
      "SELECT FROM certificate_endpoints WHERE organization_id = $1 AND last_checked_at IS NOT NULL AND leased_until IS NULL";
    return (await query(server, "app", text, [id])).length === ENDPOINTS;
  });
}

/** Starts everything. Background jobs run every second or two. */
export async function startEnvironment(): Promise<Environment> {
  const closing: (() => unknown)[] = [];
  const destroy = async () => {
    for (const close of closing.reverse()) await close();
  };
  try {
    return { ...(await start(closing)), destroy };
  } catch (error) {
    await destroy();
    throw error;
  }
}

/** Adds a function per part that closes it to `closing`, in start order. */
async function start(closing: (() => unknown)[]): Promise<Omit<Environment, "destroy">> {
  const keep = <Kept extends { close: () => unknown }>(kept: Kept): Kept => {
    closing.push(kept.close);
    return kept;
  };
  const [monitoring, audit] = await Promise.all([Cluster.create(), Cluster.create()]);
  closing.push(() => Promise.all([monitoring.destroy(), audit.destroy()]));
  const redis = hasRedis ? await startRedis() : null;
  closing.push(() => redis?.destroy());
  const internet = keep(await startSmallInternet());
  const site = keep(await startSite());
  const tls = keep(await startTlsTarget());
  const silent = keep(await serveTcp(() => {}, "0.0.0.0"));
  const receiver = keep(await newReceiver());
  const mailbox = keep(await startMailbox());
  const authority = keep(await startTimeStampAuthority());
  const witness = keep(await startWitness("faults.example/witness"));
  witness.answer = "cosign unseen";
  const server = await startSealwatch({
    ...internet.settings,
    SMTP_URL: mailbox.url,
    SMTP_FROM: "Sealwatch <watch@example.test>",
    AUDIT_TIMESTAMP_URL: authority.url,
    ...(redis && { REDIS_URL: redis.url }),
    DATABASE_URL: monitoring.url("app"),
    AUDIT_DATABASE_URL: audit.auditWebUrl,
    AUDIT_MAINTENANCE_DATABASE_URL: audit.url("audit"),
    PROBE_ALLOWED_NETWORKS: "127.0.0.0/8",
    MAX_JOB_INTERVAL_SECONDS: "2",
  });
  closing.push(() => server.destroy());
  const [tenant, neighbour] = [await newOrganization(server), await newOrganization(server)];
  const [reader, person] = [await newSession(server), await newSession(server)];
  await server.cli("org", "set-plan", "--org", tenant.id, "--plan", "enterprise");
  await addHealthyMonitors(server, tenant);
  await addEndpoints(server, tenant, tls);
  const domain = await addDomain(server, tenant);
  const hook = { type: "webhook", name: "Hook", settings: { url: receiver.url } };
  const { data: channel } = await tenant.admin.post<NotificationChannel>("/notification-channels", hook);
  const log = { ...LONG_LOG, from: Date.now() - 1_000, everyMs: 0 };
  await storeMany(server, reader.organizationId, log);
  const follower = await Follower.start(server.url, { cookie: person.cookie });
  closing.push(() => follower.stop());
  const evaluated = "SELECT FROM alert_evaluations WHERE organization_id = $1 AND events_place IS NOT NULL";
  await until("rules were evaluated", async () => (await query(server, "app", evaluated, [tenant.id])).length > 0);
  return {
    ...{
      server,
      monitoring,
      audit,
      redis,
      tenant,
      neighbour,
      reader,
      person,
      follower,
      receiver,
      mailbox,
      witness,
      channel,
      site,
      tls,
    },
    ...{ silentPort: silent.port, domain },
  };
}
