import { MAX_VALUES, type OldSecretUse } from "@/lib/api-keys/old-secrets/contract";
import { isStranger, type Standing, standings } from "@/lib/audit-logs/standing";
import { DAY_MS } from "@/lib/time/units";

const MAX_USER_AGENTS = 5;

/** One attempt with an old secret. */
export interface OldSecretAttempt {
  /** Unix milliseconds. */
  at: number;
  address: string | null;
  country: string | null;
  userAgent: string | null;
  method: string;
  path: string;
  hint: string;
  standing: Standing;
  /** Unix milliseconds. */
  knownSince: number | null;
}

type Address = Omit<OldSecretUse["addresses"][number], "is_new" | "is_blocked">;

interface Split {
  attempts: number;
  by_strangers: number;
}

/** Counts attempts by a key, most frequent first. */
function countBy<Value>(attempts: readonly OldSecretAttempt[], of: (attempt: OldSecretAttempt) => [string, Value]) {
  const counts = new Map<string, Value & Split>();
  for (const attempt of attempts) {
    const [key, value] = of(attempt);
    const count = counts.get(key) ?? { ...value, attempts: 0, by_strangers: 0 };
    count.attempts++;
    if (isStranger(attempt.standing)) count.by_strangers++;
    counts.set(key, count);
  }
  return [...counts].sort(([a, x], [b, y]) => y.attempts - x.attempts || (a < b ? -1 : 1)).map(([, count]) => count);
}

function toAddress(mine: readonly [OldSecretAttempt, ...OldSecretAttempt[]]): Address {
  const [last] = mine;
  const first = mine.at(-1) ?? last;
  const agents = countBy(mine, ({ userAgent }) => [userAgent ?? "", { userAgent }]);
  // An address that tried several secrets is as well known as the best known of them.
  const best = mine.reduce((one, other) =>
    standings.indexOf(other.standing) > standings.indexOf(one.standing) ? other : one,
  );
  return {
    ip_address: first.address,
    country: mine.find(({ country }) => country !== null)?.country ?? null,
    standing: best.standing,
    known_since: best.knownSince === null ? null : new Date(best.knownSince).toISOString(),
    attempts: mine.length,
    first_attempt_at: new Date(first.at).toISOString(),
    last_attempt_at: new Date(last.at).toISOString(),
    user_agents: agents.flatMap(({ userAgent }) => userAgent ?? []).slice(0, MAX_USER_AGENTS),
  };
}

/** All addresses of attempts, which are in order of time, newest first. Unrecognized ones are first, then by attempts. */
export function addressesOf(attempts: readonly OldSecretAttempt[]): Address[] {
  const groups = new Map<string, [OldSecretAttempt, ...OldSecretAttempt[]]>();
  for (const attempt of attempts) {
    const group = groups.get(attempt.address ?? "");
    if (group) group.push(attempt);
    else groups.set(attempt.address ?? "", [attempt]);
  }
  return [...groups.values()]
    .map(toAddress)
    .sort(
      (a, b) =>
        Number(isStranger(b.standing)) - Number(isStranger(a.standing)) ||
        b.attempts - a.attempts ||
        ((a.ip_address ?? "") < (b.ip_address ?? "") ? -1 : 1),
    );
}

/** The figures of attempts in the range from `since` until `until`, both in Unix milliseconds. */
export function figuresOf(attempts: readonly OldSecretAttempt[], since: number, until: number) {
  const days = new Map(
    countBy(attempts, ({ at }) => {
      const start = Math.floor(at / DAY_MS) * DAY_MS;
      return [String(start), { start }];
    }).map((day) => [day.start, day]),
  );
  const first = Math.floor(since / DAY_MS) * DAY_MS;
  return {
    attempts: attempts.length,
    secrets: countBy(attempts, ({ hint }) => [hint, { hint }]).map(({ hint, attempts }) => ({ hint, attempts })),
    user_agents: countBy(attempts, ({ userAgent }) => [userAgent ?? "", { user_agent: userAgent }]).slice(
      0,
      MAX_VALUES,
    ),
    countries: countBy(attempts, ({ country }) => [country ?? "", { country }]).slice(0, MAX_VALUES),
    requests: countBy(attempts, ({ method, path }) => [`${method} ${path}`, { method, path }]).slice(0, MAX_VALUES),
    series: Array.from({ length: Math.ceil((until - first) / DAY_MS) }, (_, at) => {
      const start = first + at * DAY_MS;
      const { attempts, by_strangers } = days.get(start) ?? { attempts: 0, by_strangers: 0 };
      return { start: new Date(start).toISOString(), attempts, by_strangers };
    }),
  };
}
