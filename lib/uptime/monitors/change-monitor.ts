import { isDeepStrictEqual } from "node:util";
import type { Transaction } from "@/lib/db/app";
import { Prisma, type UptimeMonitor as Row } from "@/lib/db/generated/app/client";
import { movedDeadline } from "@/lib/uptime/checks/state";
import type { MonitorInput } from "@/lib/uptime/fields";
import { firstCheckAt, leaseFrom, settings } from "@/lib/uptime/monitors/create-monitor";
import { toSettings } from "@/lib/uptime/monitors/monitor";
import { type MonitorSecrets, readableSecrets, secretColumns } from "@/lib/uptime/secrets";

/** The input that a stored monitor corresponds to. */
export function inputOf(row: Row): MonitorInput {
  return {
    name: row.name,
    type: row.type as MonitorInput["type"],
    target: row.target,
    method: row.method as MonitorInput["method"],
    ...readableSecrets(row),
    ...toSettings(row),
    paused: row.pausedAt !== null,
  };
}

const secretsOf = ({ headers, authentication }: MonitorInput): MonitorSecrets => ({ headers, authentication });

/** Fields that define the check. If any of them changes, earlier results no longer apply. */
const QUESTION = [
  ...([
    "target",
    "method",
    "headers",
    "authentication",
    "expected_status",
    "expected_text",
    "follow_redirects",
  ] as const),
  ...(["request_body", "trust_store_id", "verify_tls", "ip_version", "dns", "tcp", "ping"] as const),
  ...(["forbidden_text", "expected_pattern", "expected_json", "expected_headers"] as const),
  ...(["max_response_time_ms", "min_certificate_days"] as const),
];

/**
 * When to check after a change, and the lease of a check that starts now. A change that leaves the check as it is neither ends the lease
 * of one that runs nor brings the next one forward, except by a shorter interval, which takes effect now.
 */
function schedule(
  before: Row,
  input: MonitorInput,
  { isAfresh, atOnce, now }: { isAfresh: boolean; atOnce: boolean; now: Date },
): { nextCheckAt?: Date; leasedUntil?: Date | null } {
  const isHeartbeat = input.type === "heartbeat";
  if (isAfresh) {
    const leasedUntil = atOnce && !input.paused && !isHeartbeat ? leaseFrom(now) : null;
    return { nextCheckAt: firstCheckAt(input, now), leasedUntil };
  }
  if (isHeartbeat) return { nextCheckAt: movedDeadline(before, input, now), leasedUntil: null };
  if (input.interval_seconds >= before.intervalSeconds) return {};
  const latest = now.getTime() + input.interval_seconds * 1000;
  return { nextCheckAt: new Date(Math.min(before.nextCheckAt.getTime(), latest)) };
}

/**
 * Applies `input` to a monitor. Pausing, resuming and changing its check end an open incident and reset its status. With `atOnce`
 * the caller checks it immediately; otherwise the worker does. Resolves with null if nothing differs.
 */
export async function changeMonitor(
  tx: Transaction,
  before: Row,
  input: MonitorInput,
  atOnce: boolean,
): Promise<{ row: Row; isAfresh: boolean } | null> {
  const was = inputOf(before);
  if (isDeepStrictEqual(was, input)) return null;
  const { organizationId, id } = before;
  const now = new Date();
  const isAfresh =
    was.paused !== input.paused || QUESTION.some((field) => !isDeepStrictEqual(was[field], input[field]));
  if (isAfresh) {
    await tx.uptimeIncident.updateMany({
      where: { organizationId, monitorId: id, endedAt: null },
      data: { endedAt: now, awaitsEvaluation: true },
    });
  }
  const row = await tx.uptimeMonitor.update({
    where: { organizationId_id: { organizationId, id } },
    data: {
      ...settings(input),
      // Secrets that cannot be read stay as they are.
      ...(!isDeepStrictEqual(secretsOf(was), secretsOf(input)) && secretColumns(before, secretsOf(input))),
      updatedAt: now,
      ...schedule(before, input, { isAfresh, atOnce, now }),
      ...(isAfresh && {
        pausedAt: input.paused ? (before.pausedAt ?? now) : null,
        version: { increment: 1 },
        status: "pending",
        statusSince: null,
        failures: 0,
        successes: 0,
        lastCheck: Prisma.DbNull,
        lastCheckedAt: null,
      }),
    },
  });
  return { row, isAfresh };
}
