import { expect, test } from "vitest";
import { HostBusy, PerHostLimiter } from "@/lib/jobs/per-host-limiter";

const LONG_MS = 60_000;
const limits = { perHost: 2, perOrganization: 2, waiting: 2, waitMs: LONG_MS };

/** Whether a promise is still pending. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  return (await Promise.race([promise, Promise.resolve("open")])) === "open";
}

test("up to the limit are admitted, a few wait in order, and the others are refused", async () => {
  const limiter = new PerHostLimiter(limits);
  const enter = () => limiter.enter("acme", ["a"]);
  const [first, second] = await Promise.all([enter(), enter()]);
  const [third, fourth] = [enter(), enter()];
  await expect(enter()).rejects.toBeInstanceOf(HostBusy);
  expect(await isOpen(third)).toBe(true);
  first();
  (await third)();
  expect((await fourth)()).toBeUndefined();
  second();
  await Promise.all([enter(), enter()]);
});

test("hosts have separate limits, and a slot is released only once", async () => {
  const limiter = new PerHostLimiter({ ...limits, perHost: 1, waiting: 0 });
  const leave = await limiter.enter("acme", ["a"]);
  await expect(limiter.enter("acme", ["b", "a"])).rejects.toBeInstanceOf(HostBusy);
  const other = await limiter.enter("acme", ["b"]);
  leave();
  leave();
  const again = await limiter.enter("acme", ["a"]);
  await expect(limiter.enter("acme", ["a"])).rejects.toBeInstanceOf(HostBusy);
  other();
  again();
});

test("an organization does not block others from the same host", async () => {
  const limiter = new PerHostLimiter({ perHost: 3, perOrganization: 2, waiting: 5, waitMs: LONG_MS });
  const enter = (organization: string) => limiter.enter(organization, ["a"]);
  const hostile = [await enter("hostile"), await enter("hostile")];
  const waiting = Array.from({ length: 5 }, () => enter("hostile"));
  await expect(enter("hostile")).rejects.toBeInstanceOf(HostBusy);
  // One slot is always left for another organization, and the next free slot goes to it although it queued later.
  const other = await enter("other");
  const acme = enter("acme");
  expect(await isOpen(acme)).toBe(true);
  hostile[0]?.();
  await acme;
  expect(await Promise.all(waiting.map(isOpen))).not.toContain(false);
  other();
  await waiting[0];
  expect(await Promise.all(waiting.slice(1).map(isOpen))).not.toContain(false);
});

test("requests for the same hosts in different orders do not deadlock", async () => {
  const limiter = new PerHostLimiter({ ...limits, perHost: 1, waiting: 8 });
  const leave = await limiter.enter("acme", ["a", "b"]);
  const others = [
    ["b", "a"],
    ["a", "b"],
    ["b", "a"],
  ].map((hosts) => limiter.enter("acme", hosts));
  leave();
  for (const other of others) (await other)();
});

test("an aborted request leaves the queue", async () => {
  const limiter = new PerHostLimiter({ ...limits, perHost: 1, waiting: 1 });
  const leave = await limiter.enter("acme", ["a"]);
  const stopping = new AbortController();
  const waiting = limiter.enter("acme", ["a"], stopping.signal);
  stopping.abort(new Error("stop"));
  await expect(waiting).rejects.toThrow("stop");
  const next = limiter.enter("acme", ["a"]);
  leave();
  (await next)();
});

test("a request that waits too long is refused and takes no slot", async () => {
  const limiter = new PerHostLimiter({ ...limits, perHost: 1, waitMs: 10 });
  const leave = await limiter.enter("acme", ["a"]);
  await expect(limiter.enter("acme", ["a"])).rejects.toBeInstanceOf(HostBusy);
  leave();
  (await limiter.enter("acme", ["a"]))();
});
