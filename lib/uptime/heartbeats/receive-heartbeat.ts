import { db } from "@/lib/db/app";
import { hashToken } from "@/lib/tokens";
import { recordOutcomes } from "@/lib/uptime/checks/record-outcomes";

/** A call is recorded again if the monitor was changed at the same moment. */
const MAX_ATTEMPTS = 3;

const NO_PHASES = { statusCode: null, dnsUs: null, connectUs: null, tlsUs: null, ttfbUs: null, totalUs: 0 };

/** What became of a call: null if the token belongs to no monitor. */
export type Received = "recorded" | "paused" | null;

/** Records a call of a heartbeat's URL as a successful check. `address` is the caller's. */
export async function receiveHeartbeat(token: string, address: string | null): Promise<Received> {
  const tokenHash = hashToken(token);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const found = await db().uptimeHeartbeat.findUnique({
      where: { tokenHash },
      include: { monitor: { select: { version: true, pausedAt: true } } },
    });
    if (found === null) return null;
    const { organizationId, monitorId, monitor } = found;
    if (monitor.pausedAt !== null) return "paused";
    const outcome = { at: new Date(), ok: true, reason: null, detail: null, address, ...NO_PHASES };
    const recorded = await recordOutcomes([{ organizationId, monitorId, version: monitor.version, outcome }]);
    if (recorded.length > 0) return "recorded";
  }
  throw new Error("a heartbeat's monitor changed several times while it was called");
}
