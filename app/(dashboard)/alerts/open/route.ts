import { countOpen } from "@/lib/alerts/count-open";
import { currentSession } from "@/lib/auth/session";

const headers = { "Cache-Control": "no-store" };

/** The number of open alerts, for the sidebar of a page that stays. As pages are, it is neither limited nor recorded. */
export async function GET(): Promise<Response> {
  const session = await currentSession();
  if (session === null) return Response.json(null, { status: 401, headers });
  return Response.json({ count: await countOpen(session.principal) }, { headers });
}

export const dynamic = "force-dynamic";
