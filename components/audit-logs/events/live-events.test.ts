import { expect, test } from "vitest";
import { arrivals } from "@/components/audit-logs/events/live-events";
import { joinPage } from "@/components/audit-logs/events/use-events";
import type { AuditEvent } from "@/lib/audit-logs/contract";

const event = (id: string) => ({ id }) as AuditEvent;
const ids = (events: AuditEvent[]) => events.map(({ id }) => id).join("");
const nothing = { shown: [], waiting: [], uncounted: 0, connection: "open" as const };

test("entries are listed once, newest first, even if they arrive late", () => {
  const first = arrivals(nothing, { kind: "came", events: [event("b"), event("d")], isHeld: false });
  const then = arrivals(first, { kind: "came", events: [event("c"), event("d")], isHeld: false });
  expect(ids(then.shown)).toBe("dcb");
});

test("while the list is held, new entries wait until it is released", () => {
  const before = arrivals(nothing, { kind: "came", events: [event("a")], isHeld: false });
  const held = arrivals(before, { kind: "came", events: [event("b")], isHeld: true });
  expect([ids(held.shown), ids(held.waiting)]).toEqual(["a", "b"]);
  const released = arrivals(held, { kind: "release" });
  expect([ids(released.shown), ids(released.waiting)]).toEqual(["ba", ""]);
});

test("beyond the limit of a page, new entries are only counted", () => {
  const many = Array.from({ length: 5_000 }, (_, at) => event(String(at).padStart(5, "0")));
  const full = arrivals(nothing, { kind: "came", events: many, isHeld: false });
  const over = arrivals(full, { kind: "came", events: [event("z")], isHeld: false });
  expect(over.shown).toHaveLength(5_000);
  expect(over.uncounted).toBe(1);
});

test("pages are joined at either end without duplicates", () => {
  const middle = [event("d"), event("c")];
  expect(ids(joinPage(middle, [event("c"), event("b")], "down"))).toBe("dcb");
  expect(ids(joinPage(middle, [event("d"), event("e"), event("f")], "up"))).toBe("fedc");
});
