import { beforeAll, describe, expect, test } from "vitest";
import { reader, store } from "@/e2e/audit/store";
import { aged } from "@/e2e/support/aged-key";
import { newAddress } from "@/e2e/support/api";
import { bind, type Key, newOrganization } from "@/e2e/support/organization";
import { eventById, eventsOf, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import { AuditEventDraft, type AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { append } from "@/lib/audit-logs/write/append";
import { storeWithFirstSeenOrigins } from "@/lib/audit-logs/write/first-seen-origins";
import { enqueueOutbox } from "@/lib/audit-logs/write/outbox";
import { auditPool } from "@/lib/db/audit";
import { idAt, newId } from "@/lib/ids";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

// The shared server trusts 127.0.0.1 as a proxy, so these requests can come from anywhere.
const server = sharedServer();
const PLACE_FLAGS = ["new_address", "new_country"];

beforeAll(() => bind(server));

/** A UUIDv7 of an instant. */
const idOf = (time: number) => idAt(time).slice(0, 14) + newId().slice(14);

/** Events of one key, `age` after its creation. */
function keyOf(organizationId: string, createdAt = Date.now() - 20 * DAY_MS) {
  const api_key_id = idOf(createdAt);
  return (age: number, ip_address: string, known: Partial<AuditRow> = {}) =>
    new AuditEventDraft({
      organization_id: organizationId,
      id: idOf(createdAt + age),
      method: "GET",
      path: "/",
      status_code: 200,
      auth_type: "api_key",
      api_key_id,
      ip_address,
      ...known,
    }).row;
}

const flagsOf = async (rows: AuditRow[]) =>
  Promise.all(rows.map(async ({ id }) => (await eventById(server, id)).flags));

async function oneByOne(rows: AuditRow[]) {
  for (const row of rows) await store([row]);
  return flagsOf(rows);
}

describe("a key that succeeds from somewhere new", () => {
  test("has the flag at its first success from there, and not again", async () => {
    const { newKey } = await newOrganization(server);
    const key = await aged(server, await newKey(), 2 * DAY_MS);
    const from = async (address: string, path = "/api-keys") =>
      (await eventById(server, (await key.api.get(path, { headers: { "x-forwarded-for": address } })).requestId)).flags;
    expect(await from("8.8.8.8", "/nowhere")).toEqual([]);
    expect(await from("8.8.8.8")).toEqual(["new_address", "new_country"]);
    expect(await from("8.8.8.8")).toEqual([]);
    expect(await from("8.8.4.4")).toEqual(["new_address"]);
    const [event] = (await key.api.get<{ security: object }[]>("/audit-logs?flag=new_country")).data;
    expect(event).toMatchObject({ security: { flags: ["new_address", "new_country"], is_security_event: true } });
  });

  test("has no flag in its first day, and origins of that day are known", async () => {
    const event = keyOf(reader().organizationId);
    const rows = [
      event(HOUR_MS, "192.0.2.1", { country: "DE" }),
      event(DAY_MS - 1, "192.0.2.2", { country: "FR" }),
      event(DAY_MS, "192.0.2.3", { country: "DE" }),
      event(2 * DAY_MS, "192.0.2.1", { country: "DE" }),
      event(2 * DAY_MS, "192.0.2.1", { country: "NL" }),
      event(3 * DAY_MS, "192.0.2.4", { country: "NL" }),
    ];
    expect(await oneByOne(rows)).toEqual([[], [], ["new_address"], [], [], ["new_address", "new_country"]]);
  });

  test("is known only after a success", async () => {
    const event = keyOf(reader().organizationId);
    const at = (status_code: number | null) => event(2 * DAY_MS, "192.0.2.1", { status_code });
    expect(await oneByOne([at(403), at(429), at(500), at(null), at(201), at(200)])).toEqual([
      ...[[], [], [], []],
      ["new_address"],
      [],
    ]);
  });

  test("counts an IPv6 network of 64 bits as one address", async () => {
    const event = keyOf(reader().organizationId);
    const rows = ["2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1"].map((ip) => event(2 * DAY_MS, ip));
    expect(await oneByOne(rows)).toEqual([["new_address"], [], ["new_address"]]);
  });

  test("keeps the other flags of its event, and one event of a batch is the first", async () => {
    const event = keyOf(reader().organizationId);
    const rows = [0, 1, 2].map((n) => event(2 * DAY_MS + n, "192.0.2.1", { flags: ["key_created"] }));
    await store(rows.toReversed());
    expect(await flagsOf(rows)).toEqual([["key_created", "new_address"], ["key_created"], ["key_created"]]);
  });

  test("of another organization or with another key is separate", async () => {
    const [one, other] = [reader().organizationId, reader().organizationId];
    const rows = [keyOf(one), keyOf(one), keyOf(other)].map((event) => event(2 * DAY_MS, "192.0.2.1"));
    await store(rows);
    expect(await flagsOf(rows)).toEqual([["new_address"], ["new_address"], ["new_address"]]);
  });
});

describe("exactly one event is the first", () => {
  const flagged = async (organizationId: string) =>
    (await eventsOf(server, organizationId)).filter(({ flags }) => flags.some((flag) => PLACE_FLAGS.includes(flag)));

  async function firstOf(organizationId: string, address: string): Promise<string | undefined> {
    const [row] = await query<{ event_id: string }>(
      server,
      "audit",
      "SELECT event_id FROM audit_sightings WHERE organization_id = $1 AND origin = $2",
      [organizationId, address],
    );
    return row?.event_id;
  }

  test("when two processes store successes from many addresses at once", async () => {
    const { id, newKey } = await newOrganization(server);
    const keys: Key[] = [];
    for (let n = 0; n < 3; n++) keys.push(await aged(server, await newKey(), 2 * DAY_MS));
    const addresses = Array.from({ length: 6 }, newAddress);
    const own = (key: Key) => (address: string) =>
      new AuditEventDraft({
        ...{ organization_id: id, method: "GET", path: "/", status_code: 200, auth_type: "api_key" },
        ...{ api_key_id: key.id, ip_address: address },
      }).row;
    await Promise.all(
      keys.flatMap((key) => [
        ...[0, 1, 2].flatMap(() =>
          addresses.map((address) => key.api.get("/certificates", { headers: { "x-forwarded-for": address } })),
        ),
        ...[0, 1, 2].map(() =>
          append(
            auditPool(),
            addresses.map(own(key)).map((row) => ({ row, body: null })),
          ),
        ),
      ]),
    );
    const first = await flagged(id);
    const places = first.map(({ api_key_id, ip_address }) => `${api_key_id} ${ip_address}`).sort();
    expect(places).toEqual(keys.flatMap((key) => addresses.map((address) => `${key.id} ${address}`)).sort());
  });

  test("when the process that was about to store it dies: then the next", async () => {
    const { organizationId } = reader();
    const event = keyOf(organizationId);
    const [lost, next] = [event(2 * DAY_MS, "192.0.2.1"), event(2 * DAY_MS + 1, "192.0.2.1")];
    let claimed = () => {};
    const isClaimed = new Promise<void>((resolve) => {
      claimed = resolve;
    });
    const dying = storeWithFirstSeenOrigins(auditPool(), [{ row: lost, body: null }], async (client) => {
      claimed();
      await client.query("SELECT pg_terminate_backend(pg_backend_pid())");
    });
    const failed = expect(dying).rejects.toThrow();
    await isClaimed;
    await store([next]);
    await failed;
    expect((await flagged(organizationId)).map(({ id }) => id)).toEqual([next.id]);
    expect(await firstOf(organizationId, "192.0.2.1")).toBe(next.id);
  });

  test("when it arrives through the outbox twice", async () => {
    const { organizationId } = reader();
    const event = keyOf(organizationId);
    const rows = [0, 1, 2].map((n) => event(2 * DAY_MS + n, "192.0.2.1", { country: "DE" }));
    const entries = rows.map((row) => ({ row, body: null }));
    await enqueueOutbox(entries);
    await until("the outbox is delivered", async () => (await eventsOf(server, organizationId)).length === 3);
    await append(auditPool(), entries);
    expect(await flagsOf(rows)).toEqual([["new_address", "new_country"], [], []]);
    expect(await firstOf(organizationId, "DE")).toBe(rows[0]?.id);
  });
});
