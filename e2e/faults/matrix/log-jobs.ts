import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { aged, dayOf, partitions, rowsIn } from "@/e2e/audit/aging";
import { exportOf, finishOf, parseNdjson } from "@/e2e/audit/export-files";
import { store } from "@/e2e/audit/store";
import type { Environment } from "@/e2e/faults/environment";
import { RequestLedger } from "@/e2e/faults/soak/request-ledger";
import type { Give } from "@/e2e/faults/work";
import { newOrganization } from "@/e2e/support/organization";
import { eventsOf, query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { checkLogNow } from "@/lib/audit-logs/check/check-logs";
import { createDayPartitions } from "@/lib/audit-logs/partitions/partitions";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import { append } from "@/lib/audit-logs/write/append";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { enqueueOutbox } from "@/lib/audit-logs/write/outbox";
import { setPlan } from "@/lib/billing/set-plan";
import { auditPool } from "@/lib/db/audit";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import type { NotificationChannel } from "@/lib/notification-channels/contract";
import { parseNote, verifyNote } from "@/lib/sealed-log/note";
import { parseVkey } from "@/lib/sealed-log/vkey";
import { DAY_MS } from "@/lib/time/units";

const OUTBOX = 300;
const EVENTS = 100;
const REQUESTS = 5;

/** Events that wait in the outbox. */
export const shipOutbox: Give = async ({ server, tenant }) => {
  const known = { organization_id: tenant.id, method: "PUT", path: "/api/v1/outbox", status_code: 200 };
  const entries = Array.from({ length: OUTBOX }, () => ({
    row: new AuditEventDraft(known).row,
    body: Buffer.from("a body"),
  }));
  const ids = entries.map(({ row }) => row.id);
  await enqueueOutbox(entries);
  const stored = () =>
    query<{ id: string }>(
      server,
      "audit",
      "SELECT id FROM audit_events WHERE organization_id = $1 AND id = ANY($2::uuid[])",
      [tenant.id, ids],
    );
  return {
    isDone: async () => (await stored()).length >= OUTBOX,
    async verify() {
      expect((await stored()).map(({ id }) => id).sort()).toEqual(ids.toSorted());
      const left = "SELECT FROM audit_outbox WHERE id = ANY($1::uuid[])";
      await until("the outbox is empty", async () => (await query(server, "app", left, [ids])).length === 0);
    },
  };
};

/** A weekly e-mail about a view that is due. */
export const sendWeeklyEmails: Give = async ({ server, person, mailbox }) => {
  const view = newId();
  await query(
    server,
    "app",
    `WITH made AS (
       INSERT INTO audit_views (organization_id, id, owner_id, name, query, created_at, created_by_type, created_by_name, updated_at)
       VALUES ($1, $2, $1, $2::uuid::text, '{}', now(), 'user', 'Somebody', now()) RETURNING organization_id, id
     )
     INSERT INTO audit_view_emails (organization_id, view_id, user_id, next_at) SELECT organization_id, id, $3, now() FROM made`,
    [person.organizationId, view, person.userId],
  );
  const mails = () => mailbox.received.filter((text) => text.includes(view));
  const state = "SELECT FROM audit_view_emails WHERE view_id = $1 AND next_at > now() AND leased_until IS NULL";
  return {
    isDone: async () => mails().length > 0,
    async verify(meaning) {
      await until("the next one is due in a week", async () => (await query(server, "app", state, [view])).length > 0);
      // A repetition has the same id, so that mailboxes show it once.
      expect(new Set(mails().map((text) => /^Message-ID: .*$/im.exec(text)?.[0])).size).toBe(1);
      if (meaning === "goes on") expect(mails()).toHaveLength(1);
    },
  };
};

/** A day whose checkpoint has no time stamp yet. */
export const stampCheckpoint: Give = async ({ server }) => {
  await query(server, "audit", "DELETE FROM audit_seal_stamps");
  const stamps = () => query(server, "audit", "SELECT token IS NOT NULL AS is_stamped FROM audit_seal_stamps");
  const once = [{ is_stamped: true }];
  return {
    isDone: async () => isDeepStrictEqual(await stamps(), once),
    verify: async () => expect(await stamps()).toEqual(once),
  };
};

/** A witness that has cosigned nothing yet. */
export const cosignCheckpoint: Give = async ({ server, witness }) => {
  const { name, vkey, url } = witness;
  await query(server, "audit", "DELETE FROM audit_seal_witnesses WHERE name = $1", [name]);
  await query(server, "audit", "DELETE FROM audit_seal_cosignatures WHERE vkey = $1", [vkey]);
  await query(server, "audit", "INSERT INTO audit_seal_witnesses (name, vkey, url) VALUES ($1, $2, $3)", [
    name,
    vkey,
    url,
  ]);
  const cosigned = () =>
    query<{ checkpoint: string; line: string }>(
      server,
      "audit",
      `SELECT checkpoint, last_line AS line FROM audit_seal_cosignatures s JOIN audit_seal_rounds r ON (r.epoch, r.index) = (s.epoch, s.index)
       WHERE vkey = $1 ORDER BY s.index LIMIT 1`,
      [vkey],
    );
  return {
    isDone: async () => (await cosigned()).length > 0,
    async verify() {
      const [{ checkpoint, line } = { checkpoint: "", line: "" }] = await cosigned();
      expect(verifyNote(parseNote(checkpoint + line), [parseVkey(vkey)])).toHaveLength(1);
    },
  };
};

/** A channel that was not sent a checkpoint yet. */
export const sendCheckpoint: Give = async ({ server, person, receiver }) => {
  const path = `/checkpoints/${newId()}`;
  const hook = { type: "webhook", name: newId(), settings: { url: receiver.url + path } };
  const { data: channel } = await person.api.post<NotificationChannel>("/notification-channels", hook);
  const named = await person.api.post("/audit-logs/anchors", { channel_ids: [channel.id] });
  expect(named.status, named.text).toBe(200);
  const posts = () => receiver.received.filter((each) => each.path === path);
  const messages = () =>
    query(
      server,
      "app",
      `SELECT d.status, d.message->>'kind' AS kind, d.message->'checkpoint'->'size' = to_jsonb(a.sent_size) AS is_last
       FROM notification_deliveries d JOIN anchor_channels a USING (organization_id, channel_id)
       WHERE channel_id = $1`,
      [channel.id],
    );
  return {
    isDone: async () => posts().length > 0,
    async verify() {
      const sent = [{ status: "sent", kind: "checkpoint", is_last: true }];
      await until("the message counts as sent", async () => isDeepStrictEqual(await messages(), sent));
      // A repetition has the same id, so that receivers notice it.
      expect(new Set(posts().map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    },
  };
};

/** A log that is new, so that it has to be sealed, signed and checked. */
export const checkSealedLog: Give = async ({ server }) => {
  const { id } = await newOrganization(server);
  await store([aged(id, 30, 0)]);
  const result = async () => (await getSealedLog(systemPrincipal(id))).self_check;
  return {
    isDone: async () => ((await result())?.size ?? 0) > 0,
    verify: async () => expect(await result()).toMatchObject({ result: "ok", first_wrong_index: null }),
  };
};

/** A request to redact a body, which waits for its event to be sealed and signed. */
export const redactBody: Give = async ({ server }) => {
  const { id } = await newOrganization(server);
  const known = { organization_id: id, method: "POST", path: "/api/v1/things", status_code: 200 };
  const target = new AuditEventDraft({ ...known, body_size: 4 }).row;
  const request = new AuditEventDraft({
    ...{ ...known, status_code: 202, action: "audit_log.redact", resource_type: "audit_log", resource_id: target.id },
    details: { part: "body", reason: "x" },
  }).row;
  await append(auditPool(), [
    { row: target, body: Buffer.from("body") },
    { row: request, body: null },
  ]);
  await query(
    server,
    "app",
    "INSERT INTO redaction_requests (organization_id, event_id, part, request_id, requested_at, next_at) VALUES ($1, $2, 'body', $3, now(), now())",
    [id, target.id, request.id],
  );
  const done = "SELECT FROM redaction_requests WHERE organization_id = $1 AND redacted_at IS NOT NULL";
  return {
    isDone: async () => (await query(server, "app", done, [id])).length > 0,
    async verify() {
      expect(await query(server, "audit", "SELECT FROM audit_bodies WHERE id = $1", [target.id])).toEqual([]);
      expect((await checkLogNow(id)).wrong).toBeNull();
    },
  };
};

/** Increments of new events that are not yet in the rollups. */
export const fold: Give = async ({ server }) => {
  const organizationId = newId();
  await store(Array.from({ length: EVENTS }, () => aged(organizationId, 30, 0)));
  const total =
    "SELECT sum(events)::integer AS events FROM audit_rollups WHERE organization_id = $1 AND dimension = 'total' AND grain = $2";
  return {
    async isDone() {
      const [events, , , deltas] = await rowsIn(server, organizationId, 30);
      return events === EVENTS && deltas === 0;
    },
    async verify() {
      for (const grain of ["hour", "day"])
        expect(await query(server, "audit", total, [organizationId, grain])).toEqual([{ events: EVENTS }]);
    },
  };
};

/** A day that has expired. */
export const dropExpired: Give = async ({ server }) => {
  const time = Date.now() - 40 * DAY_MS;
  await store([aged(newId(), 30, 40 * DAY_MS)]);
  const day = dayOf(time).replaceAll("-", "");
  const left = async () => (await partitions(server)).filter((name) => name.endsWith(`_30_${day}`));
  expect(await left()).toHaveLength(3);
  return {
    isDone: async () => (await left()).length === 0,
    verify: async () => expect(await left()).toEqual([]),
  };
};

/** Events of an organization whose plan has changed. */
export const moveClass: Give = async ({ server }) => {
  const { id } = await newOrganization(server);
  await store(Array.from({ length: EVENTS }, () => aged(id, 30, 0)));
  const before = (await eventsOf(server, id)).map((event) => event.id);
  const principal = systemPrincipal(id);
  await withAuditEvent({ action: "organization.set_plan", principal }, () => setPlan(principal, { plan: "business" }));
  return {
    isDone: async () => (await rowsIn(server, id, 30)).every((count) => count === 0),
    async verify() {
      const events = await eventsOf(server, id);
      const [change, ...others] = events.filter((event) => !before.includes(event.id));
      expect([change?.action, others]).toEqual(["organization.set_plan", []]);
      expect(events.filter((event) => before.includes(event.id)).map((event) => event.id)).toEqual(before);
      expect(new Set(events.map(({ retention_days }) => retention_days))).toEqual(new Set([365]));
    },
  };
};

/** A future day without partitions. */
export const createPartitions: Give = async ({ server }) => {
  const day = dayOf(Date.now() + 7 * DAY_MS);
  const made = async () =>
    (await partitions(server)).filter((name) => name.endsWith(`_2555_${day.replaceAll("-", "")}`));
  await createDayPartitions(2555, day);
  for (const name of await made()) await query(server, "audit", `DROP TABLE partitions."${name}"`);
  return {
    isDone: async () => (await made()).length === 3,
    verify: async () => expect(await made()).toHaveLength(3),
  };
};

/** A day of uptime checks that has expired. */
export const dropChecks: Give = async ({ server }) => {
  const day = dayOf(Date.now() - 20 * DAY_MS);
  await query(server, "app", "SELECT uptime_make_day($1::date)", [day]);
  const name = `partitions.uptime_checks_${day.replaceAll("-", "")}`;
  const isGone = async () => {
    const [row] = await query<{ gone: boolean }>(server, "app", "SELECT to_regclass($1) IS NULL AS gone", [name]);
    return row?.gone === true;
  };
  expect(await isGone()).toBe(false);
  return { isDone: isGone, verify: async () => expect(await isGone()).toBe(true) };
};

/** A running export whose client continues reading. */
export const finishExport: Give = async ({ server, reader }) => {
  const opened = await exportOf(server, reader, { format: "ndjson" });
  expect(opened.status).toBe(200);
  await until("the export has to wait for us", () => opened.unsent() > 100_000);
  let file: Buffer | undefined;
  const reading = async () => {
    file = await opened.read();
  };
  return {
    begun: async () => void reading(),
    isDone: async () => file !== undefined,
    async verify(meaning) {
      const isWhole = hasTrailer(file);
      if (meaning === "goes on") expect(isWhole).toBe(true);
      expect((await finishOf(server, opened)).details).toMatchObject({ complete: isWhole });
      const ends = "SELECT FROM audit_events WHERE action = 'audit_log.export_finished' AND resource_id = $1";
      expect(await query(server, "audit", ends, [opened.requestId])).toHaveLength(1);
      if (isWhole) return;
      const again = await exportOf(server, reader, { format: "ndjson" });
      expect(hasTrailer(await again.read())).toBe(true);
    },
  };
};

function hasTrailer(file: Buffer | undefined): boolean {
  if (!file?.subarray(-200).toString().includes('{"export":{"rows":')) return false;
  const { events, trailer } = parseNdjson(file);
  expect(trailer).toMatchObject({ export: { rows: events.length } });
  return true;
}

/** People's requests: each served one has one event, others at most one, because a 503 may mean that no event can be written. */
export const answerRequests: Give = async ({ server, person }) => {
  const ledger = new RequestLedger(person.api);
  return {
    begun: () => ledger.send(REQUESTS),
    isDone: async () => ledger.isDone,
    verify: () => expectLedger(server, ledger),
  };
};

async function expectLedger(server: Sealwatch, ledger: RequestLedger): Promise<void> {
  const events = await until("every request that was served is in the log", async () => {
    const rows = await ledger.events(server);
    return ledger.served.every((id) => rows.some((row) => row.id === id)) && rows;
  });
  expect(new Set(events.map(({ path }) => path)).size).toBe(events.length);
}

/** Events that a client follows live. */
export const stream: Give = async ({ server, person, follower }: Environment) => {
  const ledger = new RequestLedger(person.api);
  const received = () => follower.ids.filter((id) => ledger.served.includes(id));
  return {
    begun: () => ledger.send(REQUESTS),
    isDone: async () => ledger.isDone && received().length >= REQUESTS,
    async verify() {
      // In the order in which they became visible, which differs for events that went through the outbox.
      expect(received().sort()).toEqual(ledger.served.toSorted());
      await expectLedger(server, ledger);
    },
  };
};
