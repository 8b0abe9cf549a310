import type { Entry } from "@/lib/audit-logs/write/append";
import { MINUTE_MS } from "@/lib/time/units";
import { type Ask, type Origin, type Outcome, refused, request, withinLimit, wrote } from "@/server/demo/requests";
import type { Stage } from "@/server/demo/story";
import { type Client, reads, readsAnd, traffic } from "@/server/demo/traffic";

/** The addresses are reserved for documentation (RFC 5737); the countries are fictional. */
const origins = {
  monitoring: { address: "192.0.2.20", country: "DE", agent: "Prometheus/3.5.0" },
  edge: { address: "192.0.2.31", country: "DE", agent: "Go-http-client/2.0" },
  newEdge: { address: "192.0.2.32", country: "DE", agent: "Go-http-client/2.0" },
  runner: { address: "198.51.100.61", country: "DE", agent: "node-fetch/3.3.2" },
  backup: { address: "192.0.2.55", country: "DE", agent: "python-requests/2.32.3" },
  terraform: { address: "198.51.100.40", country: "DE", agent: "terraform-provider-sealwatch/1.4.0" },
  train: { address: "203.0.113.9", country: "FR", agent: "curl/8.11.0" },
  contractor: { address: "203.0.113.200", country: "PL", agent: "PostmanRuntime/7.43.0" },
  strangers: [
    { address: "203.0.113.77", country: "NL", agent: "python-httpx/0.27.2" },
    { address: "203.0.113.140", country: "SG", agent: "python-httpx/0.27.2" },
    { address: "203.0.113.181", country: "BR", agent: "python-httpx/0.27.2" },
  ],
} as const satisfies Record<string, Origin | readonly Origin[]>;

/** The script that reports certificates every night. */
export const reporter: Origin = { address: "192.0.2.44", country: "DE", agent: "curl/8.11.0" };

/** Every event of the story, act by act. */
export function* acts(stage: Stage): Generator<Entry> {
  yield* everyday(stage);
  yield* misconfigured(stage);
  yield* hurried(stage);
  yield* dismissed(stage);
  yield* leaked(stage);
  yield* forgotten(stage);
  yield* travelling(stage);
}

/** The regular traffic of every key. */
function* everyday({ now, when, next, keys }: Stage): Generator<Entry> {
  const { prometheus, edge, terraform, ci, rotatedCi } = keys;
  const watching: Client = { key: prometheus, origin: origins.monitoring, quiet: 10, busy: 12, asks: reads };
  yield* traffic(watching, when(92, 9), now, next);
  const moved = when(3, 13.4);
  const syncing: Client = { key: edge, origin: origins.edge, quiet: 4, busy: 9, asks: reads };
  yield* traffic(syncing, when(81, 11), moved, next);
  yield* traffic({ ...syncing, origin: origins.newEdge }, moved, now, next);
  const asks = readsAnd("monitor.list", 1, "limit=200");
  yield* traffic({ key: terraform, origin: origins.terraform, quiet: 0.05, busy: 5, asks }, when(88, 14), now, next);
  const deploying: Client = {
    key: ci,
    origin: origins.runner,
    quiet: 0.3,
    busy: 11,
    asks: readsAnd("api_key.list", 1),
  };
  const rotated = when(9, 9.2);
  yield* traffic(deploying, when(91, 10), rotated, next);
  // Until somebody configured the new secret.
  const noticed = rotated + 43 * MINUTE_MS;
  yield* traffic({ ...deploying, quiet: 14, busy: 14 }, rotated, noticed, next, (at) =>
    refused(ci, origins.runner.address, at),
  );
  yield* traffic({ ...deploying, key: rotatedCi }, noticed, now, next);
}

/** A monitoring system had a read-only key and tried to write with it for an evening. */
function* misconfigured({ when, next, keys }: Stage): Generator<Entry> {
  const ask: Ask = { action: "certificate_endpoint.create", body: { host: "status.northwind.example", port: 443 } };
  const client: Client = { key: keys.prometheus, origin: origins.monitoring, quiet: 50, busy: 50, asks: [[ask, 1]] };
  yield* traffic(client, when(20, 17), when(20, 20), next, () => wrote);
}

/** Terraform plans that ran in parallel, on three earlier evenings and yesterday: twice as many requests as the limit allows. */
function* hurried({ when, next, keys }: Stage): Generator<Entry> {
  const rush: Client = { key: keys.terraform, origin: origins.terraform, quiet: 12_000, busy: 12_000, asks: reads };
  for (const daysAgo of [52, 34, 16, 1]) {
    const from = when(daysAgo, 20.3);
    yield* traffic(rush, from, from + MINUTE_MS, next, withinLimit());
  }
}

/** The contractor's key was revoked; their script kept using it for two days. */
function* dismissed({ when, next, keys }: Stage): Generator<Entry> {
  const { contractor } = keys;
  const client: Client = { key: contractor, origin: origins.contractor, quiet: 0.4, busy: 3, asks: reads };
  yield* traffic(client, when(81, 12), when(30, 17), next);
  yield* traffic(client, when(30, 17), when(28, 17), next, (at) => refused(contractor, origins.contractor.address, at));
}

/** The deploy key's secret leaked: three nights of use from unknown origins, then the rotation, then refused attempts. */
function* leaked({ when, next, keys }: Stage): Generator<Entry> {
  const asks = readsAnd("audit_log.list", 3, "limit=200");
  for (const [index, origin] of origins.strangers.entries()) {
    const client: Client = { key: keys.ci, origin, quiet: 34, busy: 34, asks };
    const night = when(12 - index, 1.7);
    // The writer flags a copy while storing; the rules are evaluated with these rows.
    const flagged: Outcome[] = [{ flags: ["new_country"] }];
    yield* traffic(client, night, night + 110 * MINUTE_MS, next, () => flagged.pop() ?? null);
  }
  const [first, second, third] = origins.strangers;
  for (const [daysAgo, origin] of [
    [8, second],
    [7, first],
    [5, third],
    [4, second],
  ] as const) {
    const client: Client = { key: keys.ci, origin, quiet: 6 * daysAgo, busy: 6 * daysAgo, asks };
    yield* traffic(client, when(daysAgo, 2), when(daysAgo, 3), next, (at) => refused(keys.ci, origin.address, at));
  }
}

/** A forgotten backup script shares the deploy key and still uses the old secret. */
function* forgotten({ now, when, next, keys }: Stage): Generator<Entry> {
  const script: Client = { key: keys.ci, origin: origins.backup, quiet: 1.1, busy: 1.1, asks: reads };
  yield* traffic(script, when(85, 3), when(9, 9.2), next);
  yield* traffic({ ...script, quiet: 4, busy: 4 }, when(9, 9.2), now, next, (at) =>
    refused(keys.ci, origins.backup.address, at),
  );
}

/** Somebody ran a Terraform plan from a train, outside the key's IP whitelist. */
function* travelling({ when, next, keys }: Stage): Generator<Entry> {
  for (let tries = 0; tries < 4; tries++) {
    const at = when(2, 16.6) + tries * 2 * MINUTE_MS;
    const outcome = refused(keys.terraform, origins.train.address, at);
    yield request(at, keys.terraform, origins.train, { action: "certificate_endpoint.list" }, outcome, next);
  }
}
