import { readiness } from "@/lib/db/readiness";
import { storeState } from "@/lib/rate-limits/open-store";

/** Whether the process can do its work: 200, or 503. Lists each part's state, also of those that it can do without for a while. */
export async function GET(): Promise<Response> {
  const { status, checks, responseMs, sealedLog } = await readiness();
  const store = storeState();
  const parts = {
    process: { status: status === "stopping" ? "stopping" : "ok", uptime_seconds: Math.round(process.uptime()) },
    database: { status: checks.database, response_ms: responseMs.database },
    audit_database: { status: checks.audit_database, response_ms: responseMs.audit_database },
    outbox: { status: checks.outbox },
    sealed_log: sealedLog,
    rate_limits: { status: store.available ? "ok" : "unavailable", store: store.store },
  };
  return Response.json(
    { status, parts, checks, rate_limits: store },
    { status: status === "ok" ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}

export const dynamic = "force-dynamic";
