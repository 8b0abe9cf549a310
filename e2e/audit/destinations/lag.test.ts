import { afterAll, expect, test } from "vitest";
import { get, grow, PATH, stored, streamTo } from "@/e2e/audit/destinations/streaming";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSink } from "@/e2e/support/stand-ins/sink";
import { until } from "@/e2e/support/until";
import { countDestinations, longestLag } from "@/lib/destinations/figures";

const server = sharedServer();
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

/** More than any other suite lets events wait, in seconds. */
const WAITED = 12 * 3_600;

test("how far a destination that fails is behind is in the API and in the metrics, until a person pauses it", async () => {
  const owner = await newOrganization(server);
  const sink = await newSink({ status: 503, headers: { "retry-after": "600" } });
  closers.push(sink.close);
  const made = await streamTo(owner, sink, { start: "oldest" });
  await grow(owner, 3);
  await until("it fails, and waits", async () => (await stored(owner, made.id)).failures > 0);
  const age = "UPDATE audit_seals SET sealed_at = now() - make_interval(secs => $2) WHERE organization_id = $1";
  await query(server, "audit", age, [owner.id, WAITED]);

  const { state, lag } = await get(owner, made);
  expect(state).toBe("failing");
  expect(lag?.entries).toBeGreaterThanOrEqual(3);
  expect(lag?.seconds).toBeGreaterThanOrEqual(WAITED);
  expect(await longestLag()).toBeGreaterThanOrEqual(WAITED);
  expect((await countDestinations()).failing).toBeGreaterThan(0);

  const pause = "UPDATE destinations SET paused_at = now(), paused_reason = $2 WHERE id = $1";
  await query(server, "app", pause, [made.id, "Nothing could be sent for 24 hours"]);
  expect(await longestLag()).toBeGreaterThanOrEqual(WAITED);
  expect((await countDestinations()).paused).toBeGreaterThan(0);

  expect((await owner.admin.post(`${PATH}/${made.id}/resume`)).status).toBe(200);
  expect((await owner.admin.post(`${PATH}/${made.id}/pause`)).status).toBe(200);
  expect((await get(owner, made)).lag?.seconds).toBeGreaterThanOrEqual(WAITED);
  expect(await longestLag()).toBeLessThan(WAITED);
});
