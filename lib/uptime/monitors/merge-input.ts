import type { UptimeMonitor as Row } from "@/lib/db/generated/app/client";
import type { Issue } from "@/lib/http/errors";
import { issuesOf } from "@/lib/http/input";
import { forbiddenHosts, type MonitorInput, wholeMonitor } from "@/lib/uptime/fields";
import { inputOf } from "@/lib/uptime/monitors/change-monitor";
import { headerNamesOf, shownOf } from "@/lib/uptime/monitors/monitor";
import { parseHttpTarget } from "@/lib/uptime/target";

type Given = Partial<Record<keyof MonitorInput, unknown>>;

/** The complete input after a change of the given fields, or its faults: fields that do not fit the others, or else hosts and secrets. */
export function mergeInput(before: Row, given: Given): { input: MonitorInput } | { issues: Issue[] } {
  const whole = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const was = inputOf(before);
  const parsed = wholeMonitor.safeParse({ ...was, ...whole });
  if (!parsed.success) return { issues: issuesOf(parsed.error) };
  const hosts = forbiddenHosts(parsed.data, was).map(({ path, message }) => ({ path: path.join("."), message }));
  const issues = [...hosts, ...secretsAtNewOrigin(before, given, parsed.data)];
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
