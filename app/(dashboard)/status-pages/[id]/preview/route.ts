import { notFound } from "next/navigation";
import { orNotFound } from "@/components/states/or-not-found";
import { currentSession } from "@/lib/auth/session";
import { readPublicStatus } from "@/lib/status-pages/public/read-public-status";
import { statusDocument } from "@/lib/status-pages/public/status-document";
import { readStatusPage } from "@/lib/status-pages/status-page";

/** A status page as visitors would see it, for members of its organization. */
export async function GET(_: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const session = await currentSession();
  if (session === null) notFound();
  const page = await orNotFound(params, (id) => readStatusPage(session.principal.organizationId, id));
  const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };
  return new Response(statusDocument(await readPublicStatus(page)), { headers });
}

export const dynamic = "force-dynamic";
