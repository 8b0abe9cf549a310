import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { hangUp } from "@/e2e/support/raw";
import { eventsOf, query } from "@/e2e/support/servers/databases";
import { alive } from "@/e2e/support/servers/processes";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";

let server: Sealwatch;
let organization: Organization;

beforeAll(async () => {
  server = await startSealwatch();
  organization = await newOrganization(server);
});
afterAll(() => server.destroy());

const request = (mark: string) =>
  `GET /api/v1/api-keys?${mark} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organization.adminKey.secret}\r\n\r\n`;

/** Waiting inserts; the worker may also wait, to read. */
const waiting = () =>
  query(
    server,
    "audit",
    "SELECT FROM pg_locks WHERE NOT granted AND relation = 'audit_events'::regclass AND mode = 'RowExclusiveLock'",
  );

test("a server that stops first writes the events of clients that disconnected", async () => {
  const blocker = new pg.Client({ connectionString: server.databases.audit });
  await blocker.connect();
  await blocker.query("BEGIN; LOCK TABLE audit_events IN ACCESS EXCLUSIVE MODE");
  // The first is on its way to the database; the second waits in memory for the batch after it.
  await hangUp(server, request("first"));
  await until("the first event waits for the lock", async () => (await waiting()).length > 0);
  await hangUp(server, request("second"));
  await until("the second request was read", async () => (await fetch(`${server.url}/healthz`)).ok);
  const web = server.pids().web ?? 0;
  process.kill(web, "SIGTERM");
  await until("no new connection is accepted", () =>
    fetch(`${server.url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
  await blocker.query("COMMIT");
  await blocker.end();
  await until("the process has left", () => alive([web]).length === 0);
  // On a slow machine the lock may last longer than a write may take; then they come through the outbox.
  const queries = await until("both events are stored", async () => {
    const found = (await eventsOf(server, organization.id)).flatMap(({ query }) => query ?? []);
    return found.length >= 2 && found;
  });
  expect(queries).toEqual(["first", "second"]);
});
