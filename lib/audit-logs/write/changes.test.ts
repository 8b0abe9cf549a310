import { describe, expect, test } from "vitest";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { auditChange, changeDetails, MAX_CHANGES } from "@/lib/audit-logs/change-contract";
import {
  ChangeList,
  changesOf,
  onlyOrigin,
  recordBulkChanges,
  recordChanges,
  Secret,
  withoutQuery,
} from "@/lib/audit-logs/write/changes";
import { newId } from "@/lib/ids";

const numbers = (count: number, prefix = "tag") => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

describe("changes", () => {
  test("only fields that differ, with both values", () => {
    const before = { name: "a", tags: ["x"], expires_at: null, port: 443 };
    expect(changesOf(before, { ...before, tags: ["x", "y"], port: 8443 })).toEqual([
      { field: "tags", from: ["x"], to: ["x", "y"] },
      { field: "port", from: 443, to: 8443 },
    ]);
    expect(changesOf(before, { ...before })).toEqual([]);
  });

  test("nested fields one by one, also where there was nothing before", () => {
    const before = { quiet_hours: null, steps: [{ severity: "info", channels: [] }] };
    const steps = [
      { severity: "critical", channels: [] },
      { severity: "info", channels: ["Ops"] },
    ];
    expect(changesOf(before, { quiet_hours: { start: "22:00", end: "06:00" }, steps })).toEqual([
      { field: "quiet_hours.start", from: null, to: "22:00" },
      { field: "quiet_hours.end", from: null, to: "06:00" },
      { field: "steps.0.severity", from: "info", to: "critical" },
      { field: "steps.1.severity", from: null, to: "info" },
      { field: "steps.1.channels", from: null, to: ["Ops"] },
    ]);
  });

  test("a creation and a deletion leave out what is empty", () => {
    const fields = { name: "a", tags: [], note: null, paused: false, headers: new Secret({}, []) };
    expect(changesOf(null, fields)).toEqual([
      { field: "name", from: null, to: "a" },
      { field: "paused", from: null, to: false },
    ]);
    expect(changesOf(fields, null).map(({ field }) => field)).toEqual(["name", "paused"]);
  });

  test("long texts are cut, without half a character at the end", () => {
    const [change] = changesOf({ note: "" }, { note: `${"x".repeat(198)}🔑${"y".repeat(100)}` });
    expect(change?.to).toBe(`${"x".repeat(198)}…`);
  });

  test("of long lists, the entries that were added and removed", () => {
    expect(changesOf({ tags: numbers(25) }, { tags: [...numbers(24), ...numbers(30, "new")] })).toEqual([
      {
        field: "tags",
        added: { count: 30, first: numbers(10, "new") },
        removed: { count: 1, first: ["tag24"] },
      },
    ]);
  });
});

describe("secrets", () => {
  const all = (...changes: unknown[]) => JSON.stringify(changes);

  test("only the fact that they changed", () => {
    const changes = changesOf({ token: new Secret("hush-1") }, { token: new Secret("hush-2") });
    expect(changes).toEqual([{ field: "token", secret: true }]);
    expect(changesOf({ token: new Secret("hush-1") }, { token: new Secret("hush-1") })).toEqual([]);
    expect(changesOf(null, { token: new Secret("hush") })).toEqual([{ field: "token", secret: true }]);
    expect(changesOf(null, { token: new Secret(null) })).toEqual([]);
    const inside = (value: string) => ({ settings: { topic: "ops", token: new Secret(value) } });
    expect(changesOf(inside("hush-1"), inside("hush-2"))).toEqual([{ field: "settings.token", secret: true }]);
  });

  test("of headers the names, of URLs the parts that are not secret", () => {
    const before = {
      headers: new Secret({ "x-token": "hush" }, ["x-token"]),
      target: withoutQuery("https://a.test/?hush"),
      url: onlyOrigin("https://a.test/hush"),
    };
    const moved = {
      headers: new Secret({ "x-token": "hush", accept: "hush" }, ["x-token", "accept"]),
      target: withoutQuery("https://a.test/b?hush"),
      url: onlyOrigin("https://b.test/hush"),
    };
    expect(changesOf(before, moved)).toEqual([
      { field: "headers", from: ["x-token"], to: ["x-token", "accept"] },
      { field: "target", from: "https://a.test/", to: "https://a.test/b" },
      { field: "url", from: "https://a.test", to: "https://b.test" },
    ]);
    const replaced = {
      headers: new Secret({ "x-token": "hush-2" }, ["x-token"]),
      target: withoutQuery("https://a.test/?hush-2"),
      url: onlyOrigin("https://a.test/hush-2"),
    };
    expect(changesOf(before, replaced)).toEqual(
      ["headers", "target", "url"].map((field) => ({ field, secret: true as const })),
    );
    expect(all(before, moved, changesOf(before, moved), changesOf(before, replaced))).not.toContain("hush");
  });
});

describe("in an event", () => {
  test("with the name of the resource, in addition to other details", () => {
    const event = new AuditEventDraft({ details: { repeats: "id" } });
    recordChanges(event, "terraform", { name: "terraform" }, { name: "tf" });
    expect(event.row.details).toEqual({
      repeats: "id",
      resource_name: "terraform",
      changes: [{ field: "name", from: "terraform", to: "tf" }],
    });
  });

  test("and whether there are any", () => {
    const event = new AuditEventDraft();
    expect(recordChanges(event, "x", { name: "x" }, { name: "x" })).toBe(false);
    expect(recordChanges(event, "x", { name: "x" }, { name: "y" })).toBe(true);
  });

  test("no more than an event has room for", () => {
    const long = Object.fromEntries(numbers(100, "field").map((name) => [name, "ä".repeat(500)]));
    const list = new ChangeList();
    for (let at = 0; at < 100; at++) list.update({ id: newId(), name: "n".repeat(300) }, {}, long);
    const event = new AuditEventDraft();
    recordBulkChanges(event, list);
    const { changes, changes_omitted, created, updated } = event.row.details ?? {};
    expect(JSON.stringify(event.row.details).length).toBeLessThan(10_000);
    expect([created, updated]).toEqual([0, 100]);
    const kept = changeDetails.changes.parse(changes) ?? [];
    expect(kept.length).toBeLessThanOrEqual(MAX_CHANGES);
    expect(kept.length + Number(changes_omitted)).toBe(10_000);
  });

  test("the longest possible change has room", () => {
    const list = new ChangeList();
    const entries = (prefix: string) => numbers(20, prefix.repeat(300));
    list.add(changesOf({ tags: entries("a") }, { tags: entries("b") }));
    expect(list.details().changes).toHaveLength(1);
    expect(auditChange.safeParse(list.details().changes[0]).error).toBeUndefined();
  });
});
