import type { Resource } from "@/lib/alerts/coverage/read-resource";
import { reachedAt } from "@/lib/alerts/evaluation/level";
import { type Channel, channelsOf } from "@/lib/alerts/evaluation/notifications";
import type { Rule } from "@/lib/alerts/rules/alert-rule";
import type { CoveringRule } from "@/lib/alerts/rules/coverage-contract";
import { covers } from "@/lib/alerts/rules/covers";

/** An enabled channel as the contract shows it. */
export type CoverageChannel = CoveringRule["steps"][number]["channels"][number] & Channel;

const MAX_CHANNELS = 20;

/** A rule that covers a resource: its steps, when they are reached, and the channels that they notify. */
export function toCoveringRule(
  { id, name, condition, steps }: Rule,
  { validity }: Pick<Resource, "validity">,
  channels: readonly CoverageChannel[],
): CoveringRule {
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  return {
    id,
    name,
    condition,
    steps: steps.map(({ channel_ids, ...terms }, at) => ({
      step: at + 1,
      ...terms,
      reached_at:
        condition.type === "time_left" && validity !== null ? new Date(reachedAt(terms, validity)).toISOString() : null,
      channels: channelsOf(steps, { step: at }, channels)
        .slice(0, MAX_CHANNELS)
        .flatMap((channel) => byId.get(channel.id) ?? []),
    })),
  };
}

/** The enabled rules that cover a resource, by name. */
export function rulesCovering(rules: readonly Rule[], resource: Resource): Rule[] {
  return rules
    .filter((rule) => rule.enabled && covers(rule, resource))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/** The next time after `now` at which a step is reached, in RFC 3339; null if there is none. */
export function nextStepAt(rules: readonly CoveringRule[], now: Date): string | null {
  const times = rules.flatMap(({ steps }) => steps.flatMap(({ reached_at }) => reached_at ?? []));
  return times.filter((time) => time > now.toISOString()).sort()[0] ?? null;
}
