import type { UptimeMonitor as Row } from "@/lib/db/generated/app/client";
import type { Issue } from "@/lib/http/errors";
import { issuesOf } from "@/lib/http/input";
import { type MonitorInput, monitorInput } from "@/lib/uptime/fields";
import { inputOf } from "@/lib/uptime/monitors/change-monitor";
import { headerNamesOf, shownOf } from "@/lib/uptime/monitors/monitor";
import { parseHttpTarget } from "@/lib/uptime/target";

type Given = Partial<Record<keyof MonitorInput, unknown>>;

/** The complete input after a change of the given fields, or every fault: of fields that do not fit the others, and of secrets. */
export function mergeInput(before: Row, given: Given): { input: MonitorInput } | { issues: Issue[] } {
  const whole = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const parsed = monitorInput.safeParse({ ...inputOf(before), ...whole });
  if (!parsed.success) return { issues: issuesOf(parsed.error) };
  const issues = secretsAtNewOrigin(before, given, parsed.data);
  return issues.length > 0 ? { issues } : { input: parsed.data };
}

/** Headers and authentication hold credentials, which must not move to another origin unless they are given again. */
function secretsAtNewOrigin(before: Row, given: Given, after: MonitorInput): Issue[] {
  if (originOf(before.type, before.target) === originOf(after.type, after.target)) return [];
  const kept = [
    ...(headerNamesOf(before).length > 0 && given.headers === undefined ? ["headers"] : []),
    ...(shownOf(before).type !== "none" && given.authentication === undefined ? ["authentication"] : []),
  ];
  return kept.map((path) => ({ path, message: "must be given again because target has another origin" }));
}

function originOf(type: string, target: string): string {
  return type === "http" ? parseHttpTarget(target).origin : target;
}
