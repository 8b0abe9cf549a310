import { expect, test } from "vitest";
import { afterReading, afterSaving, editedOf } from "@/components/alert-rules/edited-rule";
import { fieldsOf, newRule, sentOf } from "@/components/alert-rules/rule-fields";
import { alertRuleInput } from "@/lib/alerts/rules/contract";

/** A stored rule with this name and these tags. */
const stored = (name: string, ...tags: string[]) => ({
  ...alertRuleInput.parse(sentOf({ ...newRule("UTC"), name, tags: tags.join(", ") })),
  id: "018f0000-0000-7000-8000-000000000001",
  open_alerts: 0,
  created_at: "2026-11-21T12:00:00.000Z",
  updated_at: "2026-11-21T12:00:00.000Z",
});
const editing = (name: string, ...tags: string[]) => editedOf(fieldsOf(stored(name, ...tags), "UTC"));

test("what was saved is shown as it is stored", () => {
  const sent = { ...editing("Down").fields, tags: "Shop" };
  const { fields, saved } = afterSaving({ ...editing("Down"), fields: sent }, sent, stored("Down", "shop"), "UTC");
  expect(fields.tags).toBe("shop");
  expect(saved).toEqual(sentOf(fields));
});

test("what was typed while it was saved stays, and only that is still to be saved", () => {
  const sent = { ...editing("Down").fields, tags: "shop" };
  const typed = { ...sent, name: "Shop is down" };
  const { fields, saved } = afterSaving({ ...editing("Down"), fields: typed }, sent, stored("Down", "shop"), "UTC");
  expect(fields).toBe(typed);
  expect(saved).toEqual(sentOf(sent));
});

test("what somebody else changed is shown unless something is not saved", () => {
  const now = editing("Down");
  expect(afterReading(now, stored("Site down"), "UTC").fields.name).toBe("Site down");
  const typing = { ...now, fields: { ...now.fields, tags: "shop" } };
  expect(afterReading(typing, stored("Site down"), "UTC")).toBe(typing);
  const unfinished = { ...now, fields: { ...now.fields, tags: " " } };
  expect(afterReading(unfinished, stored("Down"), "UTC")).toBe(unfinished);
});
