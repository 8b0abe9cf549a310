import { expect, test } from "vitest";
import { HostBusy, PerHostLimiter } from "@/lib/jobs/per-host-limiter";

const LONG_MS = 60_000;
const limits = { perHost: 2, perOrganization: 2, waiting: 2, waitMs: LONG_MS };

/** Whether a promise has not settled by now. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  return (await Promise.race([promise, Promise.resolve("open")])) === "open";
}

test("so many go in, a few wait in their order, the others are turned away", async () => {
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

test("hosts do not get in each other's way, and a slot is given back once", async () => {
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

test("an organization does not keep others from a host that both ask", async () => {
  const limiter = new PerHostLimiter({ perHost: 3, perOrganization: 2, waiting: 5, waitMs: LONG_MS });
  const enter = (organization: string) => limiter.enter(organization, ["a"]);
  const hostile = [await enter("hostile"), await enter("hostile")];
  const waiting = Array.from({ length: 5 }, () => enter("hostile"));
  await expect(enter("hostile")).rejects.toBeInstanceOf(HostBusy);
  // One slot is always left for somebody else, and the next free one is not the first in line's.
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

test("who asks the same hosts in another order does not wait for ever", async () => {
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

test("who gives up leaves the queue", async () => {
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

test("who waits too long is turned away, and takes nobody's slot", async () => {
  const limiter = new PerHostLimiter({ ...limits, perHost: 1, waitMs: 10 });
  const leave = await limiter.enter("acme", ["a"]);
  await expect(limiter.enter("acme", ["a"])).rejects.toBeInstanceOf(HostBusy);
  leave();
  (await limiter.enter("acme", ["a"]))();
});
