import { visible } from "@/lib/text/visible";
import type { Plan, PlanStep } from "@/server/apply/plan";
import { kindLabels, type Present } from "@/server/apply/resource";

const signs = { create: "+", change: "~", delete: "-" } as const;
/** Most characters of a value. */
const MAX_LENGTH = 200;
/** Most resources that are listed by name though nothing happens to them. */
const MAX_KEPT = 20;

/** Text of resources, without controls that a terminal would obey. */
function safe(text: string): string {
  return visible(text).replace(/\p{Cc}/gu, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

function valueWords(value: unknown): string {
  const text = safe(JSON.stringify(value) ?? "nothing");
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** One step in one line: `+ monitor  Shop`. */
export function stepWords({ act, kind, name }: Pick<PlanStep, "act" | "kind" | "name">): string {
  return `${signs[act]} ${kindLabels[kind].padEnd(8)}  ${safe(name)}`;
}

function stepLines(step: PlanStep): string[] {
  if (step.act !== "change") return [stepWords(step)];
  const changes = step.changes.map(
    ({ field, before, after }) => `    ${safe(field)}: ${valueWords(before)} → ${valueWords(after)}`,
  );
  return [stepWords(step), ...changes, ...(step.sendsSecrets ? ["    secrets are sent"] : [])];
}

function keptLines(kept: readonly Present[], prune: boolean): string[] {
  if (kept.length === 0) return [];
  const names = kept.slice(0, MAX_KEPT).map(({ kind, name }) => `  ${kindLabels[kind]} ${safe(name)}`);
  const more = kept.length > MAX_KEPT ? [`  and ${kept.length - MAX_KEPT} more`] : [];
  const why = prune ? "the key of this run, which is never deleted" : "kept, because --prune is not given";
  return ["", `Not in the manifest, ${why}:`, ...names, ...more];
}

/** How many steps of each kind there are: `1 to create, 2 to change, 0 to delete, 12 unchanged`. */
export function countWords({ steps, unchanged }: Pick<Plan, "steps" | "unchanged">): string {
  const count = (act: PlanStep["act"]) => steps.filter((step) => step.act === act).length;
  return `${count("create")} to create, ${count("change")} to change, ${count("delete")} to delete, ${unchanged} unchanged`;
}

/** The plan for people: a line per step, the changed fields, and what is kept. */
export function planWords(plan: Plan, prune: boolean): string {
  const steps = plan.steps.flatMap(stepLines);
  const summary = plan.steps.length === 0 ? `No changes: ${plan.unchanged} unchanged.` : `Plan: ${countWords(plan)}.`;
  return [...steps, ...(steps.length > 0 ? [""] : []), summary, ...keptLines(plan.kept, prune)].join("\n");
}

/** The plan as JSON, without write-only values. */
export function planJson({ steps, unchanged, kept }: Plan) {
  return {
    steps: steps.map((step) => ({
      act: step.act,
      kind: step.kind,
      name: step.name,
      ...(step.act === "change" && { changes: step.changes, sends_secrets: step.sendsSecrets }),
      ...(step.act !== "create" && { id: step.present.id }),
    })),
    unchanged,
    kept: kept.map(({ kind, id, name }) => ({ kind, id, name })),
  };
}
