import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Plan, type PlanStep, plan } from "@/server/apply/plan";
import { resolveReferences } from "@/server/apply/resolve-references";
import { type Fields, type Kind, kinds, type Present, type Wanted } from "@/server/apply/resource";

let ids = 0;

function wantedOf(kind: Kind, name: string, fields: Fields, secrets: Fields | null = null): Wanted {
  return { kind, key: name, name, path: [kind, 0], identity: { name }, fields, secrets };
}

function presentOf(kind: Kind, name: string, fields: Fields, id = `id-${++ids}`): Present {
  return { kind, id, key: name, name, fields };
}

function planOf(given: Partial<Parameters<typeof plan>[0]>): Plan {
  const rest = { wanted: [], present: [], prune: false, resendSecrets: false, ownKeyId: null };
  return plan({ ...rest, managed: new Set(kinds), ...given });
}

/** What the organization has after the steps: a model of the API. */
function applied(present: readonly Present[], steps: readonly PlanStep[]): Present[] {
  const state = new Map(present.map((each) => [each.id, each]));
  for (const step of steps) {
    if (step.act === "delete") state.delete(step.present.id);
    else if (step.act === "create") {
      const { kind, key, name, fields } = step.wanted;
      // Fields that the manifest leaves out get a default.
      const made = { kind, id: `id-${++ids}`, key, name, fields: { left: "default", ...fields } };
      state.set(made.id, made);
    } else {
      const changed = new Set(step.changes.map(({ field }) => field.split(".")[0]));
      const sent = Object.entries(step.wanted.fields).filter(([field]) => changed.has(field));
      const { present: before } = step;
      state.set(before.id, { ...before, fields: { ...before.fields, ...Object.fromEntries(sent) } });
    }
  }
  return [...state.values()];
}

const inShort = ({ steps }: Plan) => steps.map(({ act, kind, name }) => `${act} ${kind} ${name}`);

const value = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 2 }),
  fc.array(fc.constantFrom("a", "b"), { maxLength: 2 }),
);
const nested = fc.oneof(value, fc.dictionary(fc.constantFrom("x", "y"), value, { noNullPrototype: true }));
const fields = fc.record(
  { one: nested, two: nested, left: value },
  { requiredKeys: ["one", "two"], noNullPrototype: true },
);
const resource = fc.record({ kind: fc.constantFrom(...kinds), name: fc.constantFrom("a", "b", "c", "d", "e"), fields });
const unique = fc.uniqueArray(resource, { selector: ({ kind, name }) => `${kind} ${name}`, maxLength: 25 });
const organization = fc.record({
  wanted: unique.map((all) => all.map(({ kind, name, fields }) => wantedOf(kind, name, fields))),
  present: unique.map((all) =>
    all.map(({ kind, name, fields }) => presentOf(kind, name, { left: "default", ...fields })),
  ),
  managed: fc.subarray([...kinds]).map((all) => new Set(all)),
  own: fc.nat(),
});

/** Only kinds whose list the manifest has can have declared resources. */
const given = organization.map(({ wanted, present, managed, own }) => {
  const keys = present.filter(({ kind }) => kind === "api_keys");
  return {
    wanted: wanted.filter(({ kind }) => managed.has(kind)),
    present,
    managed,
    ownKeyId: keys[own % Math.max(1, keys.length)]?.id ?? null,
  };
});

describe("for any organization and manifest", () => {
  test("the steps lead to what the manifest says, and the next plan is empty", () => {
    fc.assert(
      fc.property(given, fc.boolean(), (all, prune) => {
        const first = planOf({ ...all, prune });
        const present = applied(all.present, first.steps);
        for (const { kind, key, fields } of all.wanted) {
          const [found, ...others] = present.filter((each) => each.kind === kind && each.key === key);
          expect(others).toEqual([]);
          expect(found?.fields).toMatchObject(fields);
        }
        const second = planOf({ ...all, present, prune });
        expect([second.steps, second.unchanged, second.kept]).toEqual([[], all.wanted.length, first.kept]);
      }),
    );
  });

  test("nothing is deleted without prune, and with it only what is shown, managed, undeclared and not the key of the run", () => {
    fc.assert(
      fc.property(given, (all) => {
        expect(inShort(planOf(all)).filter((line) => line.startsWith("delete"))).toEqual([]);
        const pruned = planOf({ ...all, prune: true });
        const left = new Set(applied(all.present, pruned.steps).map(({ id }) => id));
        const declared = new Set(all.wanted.map(({ kind, key }) => `${kind} ${key}`));
        for (const { kind, key, id } of all.present) {
          const isKept = !all.managed.has(kind) || declared.has(`${kind} ${key}`) || id === all.ownKeyId;
          expect(left.has(id)).toBe(isKept);
        }
        const deleted = pruned.steps.flatMap((step) => (step.act === "delete" ? [step.present.id] : []));
        expect(new Set(deleted).size).toBe(all.present.filter(({ id }) => !left.has(id)).length);
      }),
    );
  });

  test("channels exist before rules name them, rules are deleted before their channels, and the key of the run is last", () => {
    fc.assert(
      fc.property(given, (all) => {
        const { steps } = planOf({ ...all, prune: true });
        const at = (test: (step: PlanStep) => boolean) => steps.flatMap((step, index) => (test(step) ? [index] : []));
        const lastOf = (places: number[]) => Math.max(-1, ...places);
        const firstOf = (places: number[]) => Math.min(steps.length, ...places);
        const is = (kind: Kind, isDelete: boolean) => (step: PlanStep) =>
          step.kind === kind && (step.act === "delete") === isDelete;
        expect(lastOf(at(is("notification_channels", false)))).toBeLessThan(firstOf(at(is("alert_rules", false))));
        expect(lastOf(at(is("alert_rules", true)))).toBeLessThan(firstOf(at(is("notification_channels", true))));
        const own = steps.findIndex((step) => step.act === "change" && step.present.id === all.ownKeyId);
        expect([-1, steps.length - 1]).toContain(own);
      }),
    );
  });
});

describe("a plan", () => {
  test("names changed fields within objects, and leaves those alone that the manifest leaves out", () => {
    const { steps } = planOf({
      wanted: [wantedOf("alert_rules", "A", { selector: { tags: ["b"], ids: [] }, repeat_minutes: 5 })],
      present: [
        presentOf("alert_rules", "A", { selector: { tags: ["a"], ids: [] }, repeat_minutes: 5, enabled: false }),
      ],
    });
    expect(steps).toMatchObject([
      { act: "change", changes: [{ field: "selector.tags", before: ["a"], after: ["b"] }], sendsSecrets: false },
    ]);
  });

  const shop = (more: Fields = {}) => ({
    type: "http",
    target: "https://a",
    header_names: ["X-Token"],
    authentication: { type: "none", username: null, certificate_sha256: null },
    interval_seconds: 60,
    ...more,
  });
  const monitor = (more: Fields = {}) => wantedOf("monitors", "A", shop(more), { headers: { "X-Token": "t" } });

  test.each<[string, Fields, boolean]>([
    ["the target changes", { target: "https://b" }, true],
    ["a header is added", { header_names: ["X-More", "X-Token"] }, true],
    ["headers end", { header_names: [] }, true],
    [
      "it authenticates otherwise",
      { authentication: { type: "bearer", username: null, certificate_sha256: null } },
      true,
    ],
    ["something else changes", { interval_seconds: 30 }, false],
  ])("sends secrets if %s: %s %s", (_, more, sendsSecrets) => {
    const { steps } = planOf({ wanted: [monitor(more)], present: [presentOf("monitors", "A", shop())] });
    expect(steps).toMatchObject([{ act: "change", sendsSecrets }]);
  });

  test("sends secrets again if that is asked for, and only where there are any", () => {
    const present = [presentOf("monitors", "A", shop()), presentOf("monitors", "B", shop({ header_names: [] }))];
    const wanted = [monitor(), { ...monitor({ header_names: [] }), key: "B", name: "B" }];
    expect(planOf({ wanted, present }).steps).toEqual([]);
    expect(planOf({ wanted, present, resendSecrets: true }).steps).toMatchObject([
      { act: "change", name: "A", changes: [], sendsSecrets: true },
    ]);
  });

  test("is refused for what cannot be changed, and for a name that several keys have", () => {
    const { issues, steps } = planOf({
      wanted: [wantedOf("monitors", "A", shop({ type: "tcp" })), wantedOf("api_keys", "ci", {})],
      present: [presentOf("monitors", "A", shop()), presentOf("api_keys", "ci", {}), presentOf("api_keys", "ci", {})],
    });
    expect(steps).toEqual([]);
    expect(issues).toEqual([
      { path: ["monitors", 0, "type"], message: expect.stringContaining("is http in the organization") },
      { path: ["api_keys", 0], message: expect.stringContaining("matches several") },
    ]);
  });
});

describe("references", () => {
  const references = {
    channels: new Map([["c-1", "Pager"]]),
    agents: new Map([["a-1", "Basement"]]),
    trustStores: new Map([["t-1", "Internal"]]),
  };
  const rule = (...channels: string[]) => wantedOf("alert_rules", "R", { steps: [{ channels }] });

  test("are names, given as a name or an id", () => {
    const { wanted, issues } = resolveReferences({
      wanted: [
        wantedOf("notification_channels", "New", {}),
        rule("c-1", "Pager", "New"),
        wantedOf("endpoints", "E", { agent: "a-1", trust_store: "Internal" }),
        wantedOf("endpoints", "F", { agent: null, trust_store: null }),
        wantedOf("endpoints", "G", { agent: null }),
      ],
      managed: new Set(kinds),
      references,
      prune: false,
    });
    expect(issues).toEqual([]);
    expect(wanted.slice(1).map(({ fields }) => fields)).toEqual([
      { steps: [{ channels: ["Pager", "Pager", "New"] }] },
      { agent: "Basement", trust_store: "Internal" },
      { agent: null, trust_store: null },
      { agent: null },
    ]);
  });

  test("to nothing, and to channels that prune deletes, are refused", () => {
    const all = { managed: new Set<Kind>(["notification_channels", "alert_rules"]), references };
    const wanted = [rule("Nobody"), wantedOf("endpoints", "E", { agent: "x", trust_store: "y" })];
    expect(resolveReferences({ ...all, wanted, prune: false }).issues.map(({ path }) => path.slice(2))).toEqual([
      ["steps", 0, "channels", 0],
      ["trust_store"],
      ["agent"],
    ]);
    expect(resolveReferences({ ...all, wanted: [rule("Pager")], prune: false }).issues).toEqual([]);
    expect(resolveReferences({ ...all, wanted: [rule("Pager")], prune: true }).issues).toMatchObject([
      { message: expect.stringContaining("--prune deletes") },
    ]);
  });
});
