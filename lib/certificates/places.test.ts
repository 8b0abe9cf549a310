import { expect, test } from "vitest";
import { Crowded, Places } from "@/lib/certificates/places";

const LONG_MS = 60_000;

/** Whether a promise has settled by now. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  return (await Promise.race([promise, Promise.resolve("open")])) === "open";
}

test("so many go in, a few wait in their order, the others are turned away", async () => {
  const places = new Places(2, 2, LONG_MS);
  const [first, second] = await Promise.all([places.enter(["a"]), places.enter(["a"])]);
  const [third, fourth] = [places.enter(["a"]), places.enter(["a"])];
  await expect(places.enter(["a"])).rejects.toBeInstanceOf(Crowded);
  expect(await isOpen(third)).toBe(true);
  first();
  (await third)();
  expect((await fourth)()).toBeUndefined();
  second();
  await Promise.all([places.enter(["a"]), places.enter(["a"])]);
});

test("addresses do not get in each other's way, and a place is given back once", async () => {
  const places = new Places(1, 0, LONG_MS);
  const leave = await places.enter(["a"]);
  await expect(places.enter(["b", "a"])).rejects.toBeInstanceOf(Crowded);
  const other = await places.enter(["b"]);
  leave();
  leave();
  const again = await places.enter(["a"]);
  await expect(places.enter(["a"])).rejects.toBeInstanceOf(Crowded);
  other();
  again();
});

test("who looks at the same addresses in another order does not wait for ever", async () => {
  const places = new Places(1, 8, LONG_MS);
  const leave = await places.enter(["a", "b"]);
  const others = [places.enter(["b", "a"]), places.enter(["a", "b"]), places.enter(["b", "a"])];
  leave();
  for (const other of others) (await other)();
});

test("who gives up leaves the queue", async () => {
  const places = new Places(1, 1, LONG_MS);
  const leave = await places.enter(["a"]);
  const stopping = new AbortController();
  const waiting = places.enter(["a"], stopping.signal);
  stopping.abort(new Error("stop"));
  await expect(waiting).rejects.toThrow("stop");
  const next = places.enter(["a"]);
  leave();
  (await next)();
});

test("who waits too long is turned away, and takes nobody's place", async () => {
  const places = new Places(1, 1, 10);
  const leave = await places.enter(["a"]);
  await expect(places.enter(["a"])).rejects.toBeInstanceOf(Crowded);
  leave();
  (await places.enter(["a"]))();
});
