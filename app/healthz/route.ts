import { setImmediate as nextTurn } from "node:timers/promises";

/** Whether the process answers, and how long its event loop took for one turn. */
export async function GET(): Promise<Response> {
  const begun = performance.now();
  await nextTurn();
  const parts = {
    process: { status: "ok", uptime_seconds: Math.round(process.uptime()) },
    event_loop: { status: "ok", delay_ms: Math.round(performance.now() - begun) },
  };
  return Response.json({ status: "ok", parts }, { headers: { "Cache-Control": "no-store" } });
}

export const dynamic = "force-dynamic";
