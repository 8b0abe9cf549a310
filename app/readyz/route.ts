import { readiness } from "@/lib/db/readiness";

/** Whether the process can do its work: 200, or 503 naming the database that is away. */
export async function GET(): Promise<Response> {
  const checks = await readiness();
  const ready = Object.values(checks).every((state) => state === "ok");
  return Response.json(
    { status: ready ? "ok" : "unavailable", checks },
    { status: ready ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}

export const dynamic = "force-dynamic";
