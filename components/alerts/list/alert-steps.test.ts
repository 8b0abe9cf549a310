import { expect, test } from "vitest";
import { alertSteps, readSteps, START, type Step } from "@/components/alerts/list/alert-steps";

test("unresolved alerts are by urgency, unless the URL asks for a state or an order", () => {
  const [first, second, ...others] = alertSteps({});
  expect([first, second, others.at(-1)]).toEqual([
    { status: "open", severity: "critical", order: "desc" },
    { status: "open", severity: "warning", order: "desc" },
    { status: "snoozed", severity: "info", order: "desc" },
  ]);
  expect(alertSteps({ severity: "warning", order: "desc" })).toEqual([
    { status: "snoozed", severity: "warning", order: "asc" },
    { status: "acknowledged", severity: "warning", order: "asc" },
    { status: "open", severity: "warning", order: "asc" },
  ]);
  expect(alertSteps({ sort: "subject" })).toEqual([{ status: "unresolved" }]);
  expect(alertSteps({ status: "resolved", sort: "subject" })).toEqual([{}]);
});

test("a part goes on where the previous one ended, through all lists", async () => {
  const lists: Record<string, string[]> = { open: ["a", "b", "c"], acknowledged: [], snoozed: ["d"] };
  const steps: Step[] = [{ status: "open" }, { status: "acknowledged" }, { status: "snoozed" }];
  const read = async ({ status = "open" }: Step, cursor: string | undefined, limit: number) => {
    const all = lists[status] ?? [];
    const from = Number(cursor ?? 0);
    const items = all.slice(from, from + limit);
    return { items, nextCursor: from + limit < all.length ? String(from + limit) : null };
  };
  const first = await readSteps(steps, START, 2, read);
  expect(first).toEqual({ items: ["a", "b"], next: { step: 0, cursor: "2" } });
  const second = await readSteps(steps, first.next ?? START, 1, read);
  expect(second).toEqual({ items: ["c"], next: { step: 1 } });
  expect(await readSteps(steps, second.next ?? START, 9, read)).toEqual({ items: ["d"], next: null });
});
