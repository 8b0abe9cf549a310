import type { AuditEventWithBody } from "@/lib/audit-logs/contract";

/** A word that a POSIX shell reads as exactly `text`. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * The request as a command, with the secret left to the environment variable `KEY`. Null for what was no request, or one
 * whose body was not kept.
 */
export function curlOf({ request }: AuditEventWithBody, baseUrl: string): string | null {
  if (request === null) return null;
  const { method, path, query, body, body_encoding, body_size, content_type } = request;
  if (body === null && (body_size ?? 0) > 0) return null;
  const hasBody = body !== null && body !== "";
  const url = quoted(`${baseUrl}${path}${query ? `?${query}` : ""}`);
  // curl would read brackets and braces as ranges and lists.
  const literally = /[[\]{}]/.test(url) ? ["--globoff"] : [];
  const verb = method === "GET" ? [] : method === "HEAD" ? ["--head"] : [`-X ${quoted(method)}`];
  const words = [
    ["curl", ...literally, ...verb, url].join(" "),
    `-H "Authorization: Bearer $KEY"`,
    ...(hasBody && content_type ? [`-H ${quoted(`Content-Type: ${content_type}`)}`] : []),
    ...(hasBody ? [body_encoding === "utf8" ? `--data-raw ${quoted(body)}` : "--data-binary @-"] : []),
  ].join(" \\\n  ");
  return hasBody && body_encoding === "base64" ? `echo ${quoted(body)} | base64 -d | ${words}` : words;
}
