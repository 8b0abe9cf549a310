import type { SentEvent } from "@/lib/destinations/batches/batch";
import { callerOf } from "@/lib/destinations/formats/facts";
import { text } from "@/lib/destinations/formats/text";

/** Characters of each part of the sentence. */
const MAX_PART = 200;

/** An event in a line for people: `deploy: POST /api/v1/api-keys, 201`. Never empty, without control characters. */
export function summaryOf(event: SentEvent): string {
  const { request, response, resource } = event;
  const { kind, name } = callerOf(event);
  const what = request === null ? resource.action : `${request.method} ${request.path}`;
  const result = response.status_code ?? response.error_code;
  const caller = kind === "person" || kind === "api_key" ? name : kind;
  const [who, done] = [text(caller, MAX_PART) ?? "unknown", text(what, MAX_PART) ?? "event"];
  return `${who}: ${done}${result === null ? "" : `, ${text(String(result), MAX_PART)}`}`.replace(/\p{Cc}+/gu, " ");
}
