import { answerVisitor } from "@/lib/status-pages/public/respond";
import { statusDocument } from "@/lib/status-pages/public/status-document";

/** A public status page, as a document without scripts. */
export async function GET(request: Request, { params }: { params: Promise<{ slug: string }> }): Promise<Response> {
  const { slug } = await params;
  return answerVisitor(request, slug, "text/html; charset=utf-8", statusDocument);
}

export const dynamic = "force-dynamic";
