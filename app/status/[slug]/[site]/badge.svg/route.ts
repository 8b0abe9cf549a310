import { answerBadge } from "@/lib/status-pages/public/answer-badge";

/** The badge of a site of a public status page. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ slug: string; site: string }> },
): Promise<Response> {
  const { slug, site } = await params;
  return answerBadge(request, slug, site);
}

export const dynamic = "force-dynamic";
