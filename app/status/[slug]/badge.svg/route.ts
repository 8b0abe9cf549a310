import { answerBadge } from "@/lib/status-pages/public/answer-badge";

/** The badge of a public status page. */
export async function GET(request: Request, { params }: { params: Promise<{ slug: string }> }): Promise<Response> {
  return answerBadge(request, (await params).slug, null);
}

export const dynamic = "force-dynamic";
