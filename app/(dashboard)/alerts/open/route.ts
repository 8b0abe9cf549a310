import { countOpen } from "@/lib/alerts/count-open";
import { pageSession } from "@/lib/auth/session";

const headers = { "Cache-Control": "no-store" };

/** The number of open alerts, for the sidebar of a page that stays. As pages are, it is neither limited nor recorded. */
export async function GET(request: Request): Promise<Response> {
  const session = await pageSession(request);
  if (typeof session === "number") return Response.json(null, { status: session, headers });
  return Response.json({ count: await countOpen(session.principal) }, { headers });
}

export const dynamic = "force-dynamic";
