import { expect, test } from "vitest";
import { firstRows, isMoreQueued } from "@/lib/audit-logs/seal/queue";

const row = (organization_id: string, number: number, events: number) => ({
  organization_id,
  ids: Array.from({ length: events }, () => `${organization_id} ${number}`),
});
const backlog = Array.from({ length: 20 }, (_, number) => row("a", number, 500));

test("the backlog of one organization does not delay others", () => {
  const rows = firstRows([...backlog, row("b", 0, 3), row("b", 1, 3), row("c", 0, 500)]);
  expect(rows.map(({ ids }) => ids[0])).toEqual([...backlog.slice(0, 10).map(({ ids }) => ids[0]), "b 0", "c 0"]);
});

test("all rows are taken together as far as they fit, and a large one is taken alone", () => {
  const few = [row("a", 0, 10), row("a", 1, 10), row("b", 0, 10)];
  expect(firstRows(few)).toEqual(few);
  expect(firstRows([row("a", 0, 9_000), row("a", 1, 1)])).toEqual([row("a", 0, 9_000)]);
});

test("more may be queued where an organization has as many events or rows as are read at once", () => {
  expect(isMoreQueued([row("a", 0, 4_000), row("b", 0, 4_000)])).toBe(false);
  expect(isMoreQueued([row("a", 0, 4_000), row("b", 0, 1), row("a", 1, 1_000)])).toBe(true);
  expect(isMoreQueued(Array.from({ length: 499 }, (_, number) => row("a", number, 1)))).toBe(false);
  expect(isMoreQueued(Array.from({ length: 500 }, (_, number) => row("a", number, 1)))).toBe(true);
});
