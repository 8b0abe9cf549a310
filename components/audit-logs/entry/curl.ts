import type { AuditEventWithBody } from "@/lib/audit-logs/contract";

/** Quotes `text` so that a POSIX shell reads it unchanged. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * The request as a curl command that takes the secret from the environment variable `KEY`. Null if the event is not a
 * request or its body was not stored.
 */
export function toCurl({ request }: AuditEventWithBody, baseUrl: string): string | null {
  if (request === null) return null;
  const { method, path, query, body, body_encoding, body_size, content_type } = request;
  if (body === null && (body_size ?? 0) > 0) return null;
  const hasBody = body !== null && body !== "";
  const url = quoted(`${baseUrl}${path}${query ? `?${query}` : ""}`);
  // Without it, curl reads brackets and braces as ranges and lists.
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
