import { readiness } from "@/lib/db/readiness";
import { storeState } from "@/lib/rate-limits/open-store";

/**
 * Whether the process can do its work: 200, or 503 naming the database that is away. Without the rate limits' store it can:
 * it counts alone then, and says so.
 */
export async function GET(): Promise<Response> {
  const checks = await readiness();
  const ready = Object.values(checks).every((state) => state === "ok");
  return Response.json(
    { status: ready ? "ok" : "unavailable", checks, rate_limits: storeState() },
    { status: ready ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}

export const dynamic = "force-dynamic";
