import { createHash } from "node:crypto";
import { logFailure } from "@/lib/db/outage-log";
import { isUnavailable } from "@/lib/db/unavailable";
import { clientOf } from "@/lib/http/origin";
import { checkWindow, limitedAddress } from "@/lib/rate-limits/limit";
import { FRESH_S, publishedStatus } from "@/lib/status-pages/public/published-status";
import type { PublicStatus } from "@/lib/status-pages/public/read-public-status";
import { absentDocument } from "@/lib/status-pages/public/status-document";

/** Requests of one address for public pages and badges in any 60 seconds. */
const MAX_A_MINUTE = 120;

const HTML = "text/html; charset=utf-8";
const TEXT = "text/plain; charset=utf-8";
const NOT_KEPT = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };

/**
 * Answers a visitor of a public page: 429 beyond the limit of the address, 404 if the page is not published or `render` returns null,
 * 503 while it cannot be read. No audit event is written, no cookie is read or set.
 */
export async function answerVisitor(
  request: Request,
  slug: string,
  type: string,
  render: (status: PublicStatus) => string | null,
): Promise<Response> {
  const limit = await checkWindow("status-pages", MAX_A_MINUTE, limitedAddress(clientOf().ip_address), true);
  if (!limit.admitted) {
    const headers = { ...NOT_KEPT, "Content-Type": TEXT, "Retry-After": String(limit.retryAfter) };
    return new Response(`Too many requests. Retry in ${limit.retryAfter} s.`, { status: 429, headers });
  }
  let status: PublicStatus | null;
  try {
    status = await publishedStatus(slug);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    logFailure("a status page cannot be read", error);
    const headers = { ...NOT_KEPT, "Content-Type": TEXT, "Retry-After": "30" };
    return new Response("This page is temporarily unavailable. Try again shortly.", { status: 503, headers });
  }
  const content = status === null ? null : render(status);
  if (content === null) {
    return new Response(absentDocument, { status: 404, headers: { ...NOT_KEPT, "Content-Type": HTML } });
  }
  return withEntityTag(request, content, type);
}

/** 304 if the visitor has this content already. */
function withEntityTag(request: Request, content: string, type: string): Response {
  const tag = `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
  const headers = {
    "Cache-Control": `public, max-age=${FRESH_S}, stale-while-revalidate=${2 * FRESH_S}`,
    ETag: tag,
    "X-Robots-Tag": "noindex",
  };
  const known = (request.headers.get("if-none-match") ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""));
  if (known.includes(tag)) return new Response(null, { status: 304, headers });
  return new Response(content, { headers: { ...headers, "Content-Type": type } });
}
