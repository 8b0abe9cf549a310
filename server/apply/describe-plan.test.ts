import { expect, test } from "vitest";
import { planJson, planWords } from "@/server/apply/describe-plan";
import type { Plan } from "@/server/apply/plan";

const wanted = {
  kind: "monitors",
  key: "A",
  name: "A",
  path: ["monitors", 0],
  identity: { name: "A" },
  fields: {},
  secrets: { headers: { "X-Token": "secret-1" } },
} as const;
const present = { kind: "monitors", id: "1", key: "A", name: "A", fields: {} } as const;
const hostile = { ...present, id: "2", kind: "endpoints", name: "evil\u001b[2J\u202egro.example:443" } as const;

const planned: Plan = {
  steps: [
    { act: "create", kind: "api_keys", name: "ci", wanted: { ...wanted, kind: "api_keys" } },
    {
      act: "change",
      kind: "monitors",
      name: "A",
      wanted,
      present,
      changes: [{ field: "tags", before: ["\u202e\u0085"], after: undefined }],
      sendsSecrets: true,
    },
    { act: "delete", kind: "endpoints", name: hostile.name, present: hostile },
  ],
  unchanged: 3,
  kept: [{ ...present, kind: "alert_rules", name: "Old" }],
  issues: [],
};

test("a plan names its steps and changed fields, without secrets and without control characters that a terminal obeys", () => {
  expect(planWords(planned, false).split("\n")).toEqual([
    "+ key       ci",
    "~ monitor   A",
    '    tags: ["\\E2\\80\\AE\\x85"] → nothing',
    "    secrets are sent",
    "- endpoint  evil\\x1b[2J\\E2\\80\\AEgro.example:443",
    "",
    "Plan: 1 to create, 1 to change, 1 to delete, 3 unchanged.",
    "",
    "Not in the manifest, kept, because --prune is not given:",
    "  rule Old",
  ]);
  expect(JSON.stringify(planJson(planned))).not.toContain("secret-1");
  expect(planWords(planned, false)).not.toContain("secret-1");
});

test("long values and long lists are cut", () => {
  const changes = [{ field: "target", before: "a".repeat(5000), after: "b" }];
  const kept = Array.from({ length: 500 }, (_, at) => ({ ...present, name: `M${at}` }));
  const [change] = planned.steps.slice(1);
  if (change?.act !== "change") throw new Error("the second step changes");
  const text = planWords({ ...planned, steps: [{ ...change, changes }], kept }, false);
  expect(text.length).toBeLessThan(1200);
  expect(text).toContain("  and 480 more");
});

test("without steps there is nothing to do", () => {
  expect(planWords({ ...planned, steps: [], kept: [] }, true)).toBe("No changes: 3 unchanged.");
});
