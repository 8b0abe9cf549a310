import { expect, test } from "vitest";
import { keysMade, Load, loggedRequests } from "@/e2e/faults/load";
import { expectIntactLogs } from "@/e2e/support/intact-logs";
import { whenDelivered } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";

/** Waits for the web process that the supervisor starts after a kill. */
export async function webIsBack(server: Sealwatch, killed: number): Promise<void> {
  await until("a new web process answers", async () => {
    const { web } = server.pids();
    return web !== undefined && web !== killed && (await fetch(`${server.url}/healthz`)).ok;
  });
}

/** Declares the test: the web process is killed repeatedly under load. */
export function killWebUnderLoad(server: Sealwatch, kills: number): void {
  test(`kill -9 of the web process under load, ${kills} times, loses no acknowledged request and leaves no change without its event`, async () => {
    const load = await Load.start(server, 0);
    for (let n = 0; n < kills; n++) {
      // At a different point of the load each time.
      await load.answered(40 + ((n * 37) % 100));
      await webIsBack(server, server.kill("web"));
    }
    await load.answered(1);
    await load.stop();
    await whenDelivered(server);

    const acknowledged = load.calls.flatMap(({ answer }) => answer ?? []);
    expect(acknowledged.filter(({ status }) => status >= 500)).toEqual([]);
    expect(load.calls.length).toBeGreaterThan(acknowledged.length);
    const events = await loggedRequests(server, load);
    const byId = new Map(events.map((event) => [event.id, event]));
    expect(byId.size).toBe(events.length);
    for (const { requestId, status } of acknowledged) expect(byId.get(requestId)?.status_code).toBe(status);

    const answered = new Set(acknowledged.map(({ requestId }) => requestId));
    for (const { id, status_code, flags } of events) {
      expect(flags.includes("interrupted")).toBe(status_code === null);
      if (status_code === null) expect(answered.has(id)).toBe(false);
    }
    const flagged = (flag: string, id: string) =>
      events.filter(({ flags, resource_id }) => resource_id === id && flags.includes(flag)).length;
    const keys = await keysMade(server, load);
    for (const { id, rotations } of keys) {
      expect([flagged("key_created", id), flagged("key_rotated", id)]).toEqual([1, rotations]);
    }
    expect(events.filter(({ flags }) => flags.includes("key_created"))).toHaveLength(keys.length);
    await expectIntactLogs(server, load.callers, [...byId.keys()]);
  }, 900_000);
}
