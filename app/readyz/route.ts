import { readiness } from "@/lib/db/readiness";
import { storeState } from "@/lib/rate-limits/open-store";

/** Whether the process can do its work: 200, or 503. Each part is told beside it, also those that it can do without for a while. */
export async function GET(): Promise<Response> {
  const { status, checks } = await readiness();
  return Response.json(
    { status, checks, rate_limits: storeState() },
    { status: status === "ok" ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}

export const dynamic = "force-dynamic";
