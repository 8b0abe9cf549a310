import { expect, test } from "vitest";
import { Slots } from "@/lib/slots";

test("neither one holder's limit nor the total can be exceeded", () => {
  const slots = new Slots(3, 2);
  const first = slots.take("a");
  expect([first, slots.take("a")]).not.toContain(null);
  expect(slots.take("a")).toBeNull();
  expect(slots.take("b")).not.toBeNull();
  expect(slots.take("c")).toBeNull();
  first?.();
  expect(slots.take("c")).not.toBeNull();
  expect(slots.take("a")).toBeNull();
});

test("a slot is released only once", () => {
  const slots = new Slots(1, 1);
  const release = slots.take("a");
  release?.();
  release?.();
  expect(slots.take("a")).not.toBeNull();
  expect(slots.take("b")).toBeNull();
});
