import { readList } from "@/components/layout/read-list";
import { readMonitors } from "@/components/uptime/list/read-monitors";
import { USUAL_SORT } from "@/components/uptime/list/read-more-monitors";
import { pageSession } from "@/lib/auth/session";
import { listMonitors as contract } from "@/lib/uptime/contract";

const headers = { "Cache-Control": "no-store" };

/** The part of the list of monitors after `cursor`, as its page shows them. */
export async function GET(request: Request): Promise<Response> {
  const session = await pageSession(request);
  if (typeof session === "number") return Response.json(null, { status: session, headers });
  const params = Object.fromEntries(new URL(request.url).searchParams);
  const { page } = await readList(contract.query, { limit: "100", sort: USUAL_SORT, ...params }, (query) =>
    readMonitors(session.principal, query),
  );
  if (page === null) return Response.json(null, { status: 400, headers });
  return Response.json({ items: page.items, next: page.nextCursor }, { headers });
}

export const dynamic = "force-dynamic";
