import type { Ended, Situation } from "@/lib/alerts/evaluation/situation";
import { groupBy } from "@/lib/group-by";

/**
 * The situations that rules are evaluated in one after the other, so that what began and ended since the evaluation before is seen as
 * well: the first of what ended of each monitor and of each finding of an endpoint, then nothing of them, then the second, …, last
 * what is there now. By order instead of by time, because a check is written later than it was made.
 */
export function stagesOf(now: Situation, ended: Ended): Situation[] {
  const findings = stages(now.findings, ended.findings, ({ endpointId, code }) => `${endpointId} ${code}`);
  const incidents = stages(now.incidents, ended.incidents, ({ monitorId }) => monitorId);
  const count = Math.max(findings.count, incidents.count);
  const before = Array.from({ length: count }, (_, at) => ({
    ...now,
    findings: findings.at(at),
    incidents: incidents.at(at),
  }));
  return [...before, { ...now, findings: findings.at(count), incidents: incidents.at(count) }];
}

/** Of one key only one thing is open at a time. Every even stage has the next of what ended, every odd one has nothing in its place. */
function stages<Item extends { id: string }>(
  open: readonly Item[],
  ended: readonly Item[],
  keyOf: (item: Item) => string,
) {
  const over = new Set(ended.map(({ id }) => id));
  const lasting = open.filter(({ id }) => !over.has(id));
  const byKey = groupBy(ended, keyOf);
  const lengthOf = (item: Item) => 2 * (byKey.get(keyOf(item))?.length ?? 0);
  return {
    count: 2 * Math.max(0, ...[...byKey.values()].map(({ length }) => length)),
    at: (stage: number) => [
      ...(stage % 2 === 0 ? [...byKey.values()].flatMap((items) => items[stage / 2] ?? []) : []),
      ...lasting.filter((item) => lengthOf(item) <= stage),
    ],
  };
}
