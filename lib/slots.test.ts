import { expect, test } from "vitest";
import { Slots } from "@/lib/slots";

test("neither one holder's limit nor the total can be exceeded", () => {
  const slots = new Slots(3);
  const first = slots.take({ a: 2 });
  expect([first, slots.take({ a: 2 })]).not.toContain(null);
  expect(slots.take({ a: 2 })).toBeNull();
  expect(slots.take({ b: 2 })).not.toBeNull();
  expect(slots.take({ c: 2 })).toBeNull();
  expect([slots.allows({ c: 2 }), slots.allows({ b: 2 }), slots.allows({ b: 2, a: 2 })]).toEqual([true, true, false]);
  first?.();
  expect(slots.take({ c: 2 })).not.toBeNull();
  expect(slots.take({ a: 2 })).toBeNull();
});

test("work of several holders needs room in each, and takes nothing if it is refused", () => {
  const slots = new Slots(4);
  const first = slots.take({ one: 2, creator: 2 });
  expect([first, slots.take({ other: 2, creator: 2 })]).not.toContain(null);
  expect(slots.take({ third: 1, creator: 2 })).toBeNull();
  expect(slots.take({ third: 1 })).not.toBeNull();
  first?.();
  expect(slots.take({ other: 2, creator: 2 })).not.toBeNull();
});

test("a slot is released only once", () => {
  const slots = new Slots(1);
  const release = slots.take({ a: 1 });
  release?.();
  release?.();
  expect(slots.take({ a: 1 })).not.toBeNull();
  expect(slots.take({ b: 1 })).toBeNull();
});
