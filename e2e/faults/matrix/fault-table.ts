import pg from "pg";
import type { Environment } from "@/e2e/faults/environment";
import { APPLICATION_NAME } from "@/e2e/faults/environment";
import { query } from "@/e2e/support/servers/databases";
import { hasRedis } from "@/e2e/support/servers/redis";
import { until } from "@/e2e/support/until";

/** Milliseconds between two terminations of all connections. */
const CUT_MS = 50;
const KILLS = 3;
const FLOOD = 1_000;
const FLOOD_OF_DELIVERIES = 200;

/** A fault. */
export interface Fault {
  /** Begins while work is in progress, rather than just before it. */
  inTheMiddle?: boolean;
  /** Lasts until it is ended, rather than being momentary. */
  lasts: boolean;
  /** Cannot be caused on this machine. */
  skipped?: boolean;
  /** Causes the fault. Returns a function that ends it. */
  begin: (environment: Environment) => Promise<() => Promise<void>>;
}

/** All faults, by name. */
export const faults = {
  "the monitoring database is unavailable": {
    lasts: true,
    async begin({ monitoring }) {
      await monitoring.stop();
      return () => monitoring.start();
    },
  },
  "the audit database is unavailable": {
    lasts: true,
    async begin({ audit }) {
      await audit.stop();
      return () => audit.start();
    },
  },
  "the audit database hangs": {
    lasts: true,
    async begin({ audit }) {
      const thaw = audit.freeze();
      return async () => thaw();
    },
  },
  "connections are cut": {
    lasts: true,
    inTheMiddle: true,
    async begin({ monitoring, audit }) {
      const cutters = await Promise.all(
        [monitoring.superuserUrl("app"), audit.superuserUrl("audit")].map(async (url) => {
          const client = await connect(url);
          const text = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> $1`;
          const cut = () => client.query(text, [APPLICATION_NAME]);
          await cut();
          const timer = setInterval(() => void cut().catch(() => {}), CUT_MS);
          return { client, timer };
        }),
      );
      return async () => {
        for (const { client, timer } of cutters) {
          clearInterval(timer);
          await client.end();
        }
      };
    },
  },
  "Redis is unavailable": {
    lasts: true,
    skipped: !hasRedis,
    async begin({ redis }) {
      // First it hangs, then it is killed and loses its data.
      redis?.pause();
      return async () => {
        await redis?.kill();
        await redis?.start();
      };
    },
  },
  "the mail server hangs": {
    lasts: true,
    async begin({ mailbox }) {
      mailbox.hangs = true;
      return async () => {
        mailbox.hangs = false;
      };
    },
  },
  "the worker is killed": {
    lasts: false,
    inTheMiddle: true,
    async begin({ server }) {
      for (let kill = 0; kill < KILLS; kill++) {
        await somethingIsLeased(server);
        const killed = server.kill("worker");
        await until("another worker runs", () => ![undefined, killed].includes(server.pids().worker));
      }
      return async () => {};
    },
  },
  "a long reader holds locks": {
    lasts: true,
    async begin({ server }) {
      const readers = await Promise.all([server.databases.app, server.databases.audit].map(readEverything));
      return async () => {
        for (const reader of readers) await reader.end();
      };
    },
  },
  "another tenant has too much of everything": {
    lasts: true,
    begin: flood,
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Waits briefly until an item is leased: all work may already be done. */
async function somethingIsLeased(server: Environment["server"]): Promise<void> {
  const tables = [
    ...["uptime_monitors", "certificate_endpoints", "certificate_names", "certificate_renewals"],
    ...["notification_deliveries", "domain_sources"],
  ];
  const text = tables.map((table) => `SELECT FROM ${table} WHERE leased_until > now()`).join(" UNION ALL ");
  await until("something is leased", async () => (await query(server, "app", text)).length > 0, 3_000).catch(() => {});
}

/** An open report: its transaction has read every table and partition, and continues. */
async function readEverything(url: string): Promise<pg.Client> {
  const client = await connect(url);
  await client.query("BEGIN");
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
     WHERE nspname IN ('public', 'partitions') AND relkind IN ('r', 'p')`,
  );
  await client.query(`LOCK TABLE ${rows.map(({ name }) => name).join(", ")} IN ACCESS SHARE MODE`);
  return client;
}

/** Monitors, endpoints and deliveries that have been due for an hour, and whose targets do not answer. */
async function flood({ server, neighbour: { id, admin }, silentPort }: Environment): Promise<() => Promise<void>> {
  const hook = { type: "webhook", name: "Silent", settings: { url: `http://127.0.0.1:${silentPort}/` } };
  const { data: channel } = await admin.post<{ id: string }>("/notification-channels", hook);
  const run = (text: string, values: unknown[]) => query(server, "app", text, values);
  await run(
    `INSERT INTO uptime_monitors (organization_id, id, name, type, target, method, headers, expected_status, follow_redirects,
       interval_seconds, timeout_seconds, failure_threshold, recovery_threshold, tags, next_check_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'Silent ' || n, 'http', 'http://127.3.' || n / 250 || '.' || 1 + n % 250 || ':' || $3::text, 'GET', '{}', '{}',
       false, 60, 10, 1, 1, '{}', now() - interval '1 hour', now(), now() FROM generate_series(1, $2::integer) AS n`,
    [id, FLOOD, silentPort],
  );
  await run(
    `INSERT INTO certificate_endpoints (organization_id, id, host, port, connect_to, served_chain, next_check_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'silent' || n || '.test', $3, '127.3.' || n / 250 || '.' || 1 + n % 250, '{}',
       now() - interval '1 hour', now(), now() FROM generate_series(1, $2::integer) AS n`,
    [id, FLOOD, silentPort],
  );
  await run(
    `INSERT INTO notification_deliveries (organization_id, id, channel_id, key, message, alert_ids, next_attempt_at, created_at)
     SELECT $1, gen_random_uuid(), $2, n::text, $4::jsonb, '{}', now() - interval '1 hour', now() FROM generate_series(1, $3::integer) AS n`,
    [id, channel.id, FLOOD_OF_DELIVERIES, JSON.stringify(newMessage("Flood"))],
  );
  return async () => {
    for (const table of ["uptime_monitors", "certificate_endpoints", "notification_channels"])
      await run(`DELETE FROM ${table} WHERE organization_id = $1`, [id]);
  };
}

/** A message to a channel. */
export function newMessage(title: string) {
  return {
    ...{ kind: "alert", state: "firing", severity: "warning", title, text: "", items: [], more: 0 },
    ...{ url: "http://127.0.0.1/", key: title, at: new Date().toISOString() },
  };
}
