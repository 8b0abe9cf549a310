import type { ApiKeyUsage } from "@/lib/api-keys/usage-contract";
import { refusalFlags } from "@/lib/api-keys/usage-contract";
import type { KeyCount } from "@/lib/audit-logs/count/key-counts";
import { API_PREFIX } from "@/lib/http/endpoint";
import { type Group, groupLimits, groupOf } from "@/lib/http/groups";
import { DAY_MS } from "@/lib/time/units";

/** A number of requests, with the first and last UTC day on which they occurred (Unix milliseconds). */
export interface Sum {
  requests: number;
  firstDay: number;
  lastDay: number;
}

/** Requests from one address. */
export interface Origin extends Sum {
  address: string | null;
  country: string | null;
}

/** Adds up counts with the same key, most frequent first. */
function sumBy<Known>(counts: readonly KeyCount[], split: (value: string) => [key: string, known: Known] | null) {
  const sums = new Map<string, Known & Sum>();
  for (const { day, value, events } of counts) {
    const part = split(value);
    if (part === null) continue;
    const [key, known] = part;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { ...known, requests: events, firstDay: day, lastDay: day });
    else {
      sum.requests += events;
      sum.firstDay = Math.min(sum.firstDay, day);
      sum.lastDay = Math.max(sum.lastDay, day);
    }
  }
  return [...sums]
    .sort(([a, { requests: x }], [b, { requests: y }]) => y - x || (a < b ? -1 : 1))
    .map(([, sum]) => sum);
}

const of = (counts: readonly KeyCount[], kind: KeyCount["dimension"]) =>
  counts.filter(({ dimension }) => dimension === kind);

/** Splits `a b c d` into the first two words and the rest; empty parts become null. */
function words(value: string): (string | null)[] {
  const [first, second, ...rest] = value.split(" ");
  return [first, second, rest.join(" ")].map((word) => word || null);
}

/** Addresses with their countries. With `live`, only requests whose secret was current at the time. */
export function addressesOf(counts: readonly KeyCount[], live = false): Origin[] {
  return sumBy(of(counts, "key_origin"), (value) => {
    const [address = null, country = null, hint = null] = words(value);
    return live && hint !== null ? null : [address ?? "", { address, country }];
  });
}

export function countriesOf(counts: readonly KeyCount[]): (Sum & { country: string })[] {
  return sumBy(of(counts, "key_origin"), (value) => {
    const [, country = null] = words(value);
    return country === null ? null : [country, { country }];
  });
}

/** Secrets that were used after a rotation had replaced them, by hint. */
export function rotatedSecrets(counts: readonly KeyCount[]): (Sum & { hint: string })[] {
  return sumBy(of(counts, "key_origin"), (value) => {
    const [, , hint = null] = words(value);
    return hint === null ? null : [hint, { hint }];
  });
}

/** Addresses that used rotated-out secrets. */
export function rotatedOrigins(counts: readonly KeyCount[]): (Origin & { hint: string })[] {
  return sumBy(of(counts, "key_origin"), (value) => {
    const [address = null, country = null, hint = null] = words(value);
    return hint === null ? null : [`${hint} ${address ?? ""}`, { address, country, hint }];
  });
}

export function totalOf(counts: readonly KeyCount[]): number {
  return of(counts, "key_use").reduce((sum, { events }) => sum + events, 0);
}

/** One point per UTC day from `since` until `until`, both in Unix milliseconds. */
export function seriesOf(counts: readonly KeyCount[], since: number, until: number): ApiKeyUsage["series"] {
  const points = new Map<number, ApiKeyUsage["series"][number]>();
  for (let day = since; day < until; day += DAY_MS) {
    const start = new Date(day).toISOString();
    points.set(day, { start, requests: 0, status_2xx: 0, status_3xx: 0, status_4xx: 0, status_5xx: 0 });
  }
  for (const { day, value, events } of of(counts, "key_use")) {
    const point = points.get(day);
    if (point === undefined) continue;
    point.requests += events;
    const inClass = ([2, 3, 4, 5] as const).find((digit) => value.startsWith(String(digit)));
    if (inClass !== undefined) point[`status_${inClass}xx`] += events;
  }
  return [...points.values()];
}

export function routesOf(counts: readonly KeyCount[]): ApiKeyUsage["routes"] {
  const uses = of(counts, "key_use");
  const routeOf = (value: string): [string, { method: string | null; route: string | null }] => {
    const [, method = null, route = null] = words(value);
    return [`${method} ${route}`, { method, route }];
  };
  const errors = sumBy(uses, (value) => (value >= "4" ? routeOf(value) : null));
  const all = sumBy(uses, routeOf);
  return all.map(({ method, route, requests }) => ({
    method,
    route,
    requests,
    errors: errors.find((each) => each.method === method && each.route === route)?.requests ?? 0,
  }));
}

export function refusalsOf(counts: readonly KeyCount[]): ApiKeyUsage["refusals"] {
  const sums = sumBy(of(counts, "key_flag"), (flag) => [flag, { flag }]);
  return sums.flatMap(({ flag, requests }) => {
    const known = refusalFlags.find((each) => each === flag);
    return known === undefined ? [] : [{ flag: known, requests }];
  });
}

/** The fullest window of each group, fullest group first. Routes that no longer exist count as unknown routes. */
export function rateLimitsOf(counts: readonly KeyCount[]): ApiKeyUsage["rate_limits"] {
  const fullest = new Map<Group, { used: number; day: number }>();
  for (const { day, value, peak } of of(counts, "key_use")) {
    if (peak === null) continue;
    const group = groupOf((words(value)[2] ?? "").replace(API_PREFIX, ""));
    const used = Math.max(0, groupLimits[group] + peak);
    if (used > (fullest.get(group)?.used ?? -1)) fullest.set(group, { used, day });
  }
  return [...fullest]
    .map(([group, { used, day }]) => {
      const limit = groupLimits[group];
      return { group, limit, used, share: used / limit, day: new Date(day).toISOString() };
    })
    .sort((a, b) => b.share - a.share || (a.group < b.group ? -1 : 1));
}
