import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { SentEvent } from "@/lib/destinations/batches/batch";
import { formats } from "@/lib/destinations/formats";
import { SENT_ORIGIN, sentEvent } from "@/server/testing/sent-events";

const page = readFileSync("docs/operations/destinations.md", "utf8");
const rows = [...(/^### Mapping\n\n([\s\S]*?)\n\n/m.exec(page)?.[1]?.matchAll(/^\| (?!event|-)(.*) \|$/gm) ?? [])].map(
  ([, row = ""]) => row.split(" | "),
);
const wordsIn = (column: number) =>
  rows.flatMap((row) => [...(row[column] ?? "").matchAll(/`([\w@.]+)`/g)].map(([, word = ""]) => word));

/** Events that together have every member of the contract. */
const failed = { status_code: 403, response_time_ms: 1, error_code: "METHOD_NOT_ALLOWED", error_message: "no" };
const key = { id: sentEvent.id, name: "deploy", hint: "sw_Ab…x9Zk" };
const events: SentEvent[] = [
  sentEvent,
  {
    ...{ ...sentEvent, response: failed, request: sentEvent.request && { ...sentEvent.request, query: "a=1" } },
    authentication: { organization_id: sentEvent.id, type: "api_key", api_key: key, user: null },
    client: { ip_address: "2001:db8::1", user_agent: null, country: null },
  },
  {
    ...sentEvent,
    security: { ...sentEvent.security, flags: ["member_added"] },
    resource: { type: "member", id: sentEvent.id, action: "member.set" },
  },
];

/** The paths of all members of a JSON value, joined by dots. */
function pathsOf(value: unknown, prefix = ""): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [prefix + name, ...pathsOf(member, `${prefix}${name}.`)]);
}

const encoded = (name: keyof typeof formats) =>
  events.map((event) => formats[name].encode(event, { origin: SENT_ORIGIN }));

describe("the table of the page", () => {
  test("names members of the event", () => {
    const known = events.flatMap((event) => pathsOf(event));
    expect(known).toEqual(expect.arrayContaining(wordsIn(0)));
    expect(rows.length).toBeGreaterThan(15);
  });

  test.each([
    ["ocsf", 1],
    ["ecs", 2],
  ] as const)("names fields that %s has", (name, column) => {
    const known = encoded(name).flatMap((document) => pathsOf(document));
    expect(known).toEqual(expect.arrayContaining(wordsIn(column)));
  });

  test("names keys that CEF has", () => {
    const known = encoded("cef").flatMap((line) =>
      [...String(line).matchAll(/([A-Za-z0-9]+)=/g)].map(([, name]) => name),
    );
    expect(known).toEqual(expect.arrayContaining(wordsIn(3)));
  });
});
