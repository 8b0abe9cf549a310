import { badge } from "@/lib/status-pages/public/badge";
import { answerVisitor } from "@/lib/status-pages/public/respond";

/** Answers with the badge that `show` in the query names: `state` (the default), `uptime` or `certificate`. */
export function answerBadge(request: Request, slug: string, site: string | null): Promise<Response> {
  const kind = new URL(request.url).searchParams.get("show") ?? "state";
  return answerVisitor(request, slug, "image/svg+xml; charset=utf-8", (status) => badge(status, site, kind));
}
