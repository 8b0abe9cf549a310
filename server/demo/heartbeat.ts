import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";
import type { Outcome } from "@/lib/uptime/checks/outcome";
import { recordOutcomes } from "@/lib/uptime/checks/record-outcomes";
import * as contract from "@/lib/uptime/contract";
import { createMonitor } from "@/lib/uptime/monitors/create-monitor";
import { evaluateState } from "@/server/demo/alerts";
import type { Done, Step, When } from "@/server/demo/story";

const GRACE_MS = HOUR_MS;
const NAME = "Nightly backup";
/** The backup ends at this hour (UTC), and did not in one night. */
const ENDS_AT = 2.2;
const ADDED_DAYS_AGO = 26;
const MISSED_DAYS_AGO = 11;

const backup = { organization: { demonstration: true }, type: "heartbeat", name: NAME };
const NO_PHASES = {
  detail: null,
  statusCode: null,
  dnsUs: null,
  connectUs: null,
  tlsUs: null,
  ttfbUs: null,
  totalUs: 0,
};
const called = (at: number): Outcome => ({
  ...{ at: new Date(at), ok: true, reason: null, address: "192.0.2.55", ...NO_PHASES },
});
const missed = (at: number): Outcome => ({
  ...{ at: new Date(at), ok: false, reason: "heartbeat_missed", address: null, ...NO_PHASES },
});

/** Adds the heartbeat of a nightly backup, and its calls. */
export function watchBackup(by: Principal, when: When, now: number, done: Done): Step[] {
  const added = when(ADDED_DAYS_AGO, 14);
  const body = {
    ...{ name: NAME, type: "heartbeat", tags: ["office"] },
    ...{ interval_seconds: DAY_MS / 1000, grace_seconds: GRACE_MS / 1000 },
  };
  const add = async () => {
    await done(added, by, { action: "monitor.create", body }, () =>
      createMonitor(by, contract.createMonitor.body.parse(body)),
    );
  };
  const nights = Array.from({ length: ADDED_DAYS_AGO }, (_, daysAgo): Step => {
    // A few minutes earlier or later each night.
    const at = when(daysAgo, ENDS_AT + 0.1 * Math.sin(daysAgo));
    const isMissed = daysAgo === MISSED_DAYS_AGO;
    return isMissed
      ? { at: at + GRACE_MS, run: () => record(missed(at + GRACE_MS)).then(() => evaluateState(by.organizationId)) }
      : { at, run: () => record(called(at)).then(() => evaluateState(by.organizationId)) };
  });
  return [{ at: added, run: add }, ...nights.filter(({ at }) => at < now)];
}

/** Calls the heartbeat again once a day has passed, so that a demonstration that runs for days stays current. */
export async function callAgain(): Promise<void> {
  const due = await db().uptimeMonitor.count({
    where: { ...backup, pausedAt: null, lastCheckedAt: { lte: new Date(Date.now() - DAY_MS) } },
  });
  if (due > 0) await record(called(Date.now()));
}

async function record(outcome: Outcome): Promise<void> {
  const monitors = await db().uptimeMonitor.findMany({
    where: backup,
    select: { organizationId: true, id: true, version: true, leasedUntil: true },
  });
  await recordOutcomes(monitors.map(({ id: monitorId, ...rest }) => ({ ...rest, monitorId, outcome })));
}
