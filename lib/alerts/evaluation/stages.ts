import type { Ended, Situation } from "@/lib/alerts/situation/situation";
import { groupBy } from "@/lib/group-by";

/**
 * The situations to evaluate one after the other, so that causes that began and ended since the previous evaluation are seen: the
 * first ended item of each monitor and finding, then none of them, then the second, …, finally the current situation. Ordered by
 * sequence instead of time, because a check is recorded later than it was made.
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

/** Only one item per key is open at a time. Even stages contain the next ended item of each key, odd stages nothing. */
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
