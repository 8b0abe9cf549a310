import { isIP } from "node:net";
import type { SentEvent } from "@/lib/destinations/batches/batch";
import {
  callerOf,
  changedBy,
  organizationOf,
  outcomeOf,
  type Severity,
  severityOf,
} from "@/lib/destinations/formats/facts";
import type { Format } from "@/lib/destinations/formats/format";
import { summaryOf } from "@/lib/destinations/formats/summary";
import { integer, text } from "@/lib/destinations/formats/text";

/** The version of what the extension contains, which is the API's. */
const DEVICE_VERSION = "1";

/** CEF's severities go from 0 to 10. */
export const cefSeverities: Readonly<Record<Severity, number>> = { informational: 1, low: 3, medium: 6, high: 8 };

/** The longest value of each key that Sealwatch sends, in characters (CEF, "Extension Dictionary"). */
export const cefLengths = {
  act: 63,
  c6a2: 45,
  c6a2Label: 1023,
  cat: 1023,
  cn1: 20,
  cn1Label: 1023,
  cn2: 20,
  cn2Label: 1023,
  cn3: 20,
  cn3Label: 1023,
  cs1: 4000,
  cs1Label: 1023,
  cs2: 4000,
  cs2Label: 1023,
  cs3: 4000,
  cs3Label: 1023,
  cs4: 4000,
  cs4Label: 1023,
  cs5: 4000,
  cs5Label: 1023,
  cs6: 4000,
  cs6Label: 1023,
  duid: 1023,
  duser: 1023,
  externalId: 40,
  flexString1: 1023,
  flexString1Label: 128,
  in: 10,
  msg: 1023,
  outcome: 63,
  reason: 1023,
  request: 1023,
  requestClientApplication: 1023,
  requestMethod: 1023,
  rt: 20,
  src: 15,
  suid: 1023,
  suser: 1023,
} as const;
type Key = keyof typeof cefLengths;

/** In the header, `|` and `\` are escaped, and there are no line breaks (CEF, "Character Encoding"). */
export function cefHeader(fields: readonly string[]): string {
  const escaped = fields.map((field) => field.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").replace(/[\\|]/g, "\\$&"));
  return `CEF:0|${escaped.join("|")}|`;
}

/** In the extension, `=` and `\` are escaped, and line breaks are written as `\n` and `\r`. */
function escapeValue(value: string): string {
  return value
    .replace(/[\\=]/g, "\\$&")
    .replace(/\n/g, "\\n")
    .replace(/\r/g, "\\r")
    .replace(/[\p{Cc}\u2028\u2029]/gu, " ");
}

/** Keys with values, in the given order; what is undefined is left out. Values are cut before they are escaped. */
export function cefExtension(values: Partial<Record<Key, string | number | undefined>>): string {
  return Object.entries(values)
    .flatMap(([key, value]) => {
      const cut = value === undefined ? undefined : text(String(value), cefLengths[key as Key]);
      return cut === undefined ? [] : [`${key}=${escapeValue(cut)}`];
    })
    .join(" ");
}

/** A custom value with its label; nothing without a value. */
function custom<
  Name extends "c6a2" | "cn1" | "cn2" | "cn3" | "cs1" | "cs2" | "cs3" | "cs4" | "cs5" | "cs6" | "flexString1",
>(name: Name, label: string, value: string | number | null | undefined): Partial<Record<Key, string | number>> {
  return value === undefined || value === null || value === "" ? {} : { [name]: value, [`${name}Label`]: label };
}

function encode(event: SentEvent, { origin }: { origin: string }): string {
  const { id, occurred_at, request, response, security, client, resource, seal } = event;
  const caller = callerOf(event);
  const changed = changedBy(event);
  const address = client?.ip_address ?? "";
  const action = resource.action ?? "request";
  const query = request?.query ? `?${request.query}` : "";
  const size = integer(request?.body_size);
  const header = cefHeader([
    "Sealwatch",
    "Sealwatch",
    DEVICE_VERSION,
    text(action, 256) ?? "request",
    text(resource.action?.replace(/[._]/g, " "), 256) ?? "request",
    String(cefSeverities[severityOf(event)]),
  ]);
  return (
    header +
    cefExtension({
      rt: Date.parse(occurred_at),
      externalId: id,
      cat: security.is_security_event ? "security" : "audit",
      act: action,
      outcome: outcomeOf(event),
      reason: response.error_code ?? undefined,
      msg: response.error_message ?? summaryOf(event),
      src: isIP(address) === 4 ? address : undefined,
      ...custom("c6a2", "Source IPv6 Address", isIP(address) === 6 && !address.includes("%") ? address : null),
      suid: caller.id,
      suser: caller.name ?? caller.kind,
      duid: changed?.id,
      duser: changed?.name,
      requestMethod: request?.method,
      request: request === null ? undefined : `${request.path}${query}`,
      requestClientApplication: client?.user_agent ?? undefined,
      in: size !== undefined && size < 2 ** 31 ? size : undefined,
      ...custom("cn1", "Log index", seal.index),
      ...custom("cn2", "Log epoch", seal.epoch),
      ...custom("cn3", "Status code", integer(response.status_code)),
      ...custom("cs1", "Organization", organizationOf(event, origin)),
      ...custom("cs2", "Flags", security.flags.join(",")),
      ...custom("cs3", "Authentication", event.authentication?.type ?? "redacted"),
      ...custom("cs4", "Resource", resource.id === null ? resource.type : `${resource.type ?? ""}:${resource.id}`),
      ...custom("cs5", "Route", request?.route),
      ...custom("cs6", "Log", origin),
      ...custom("flexString1", "Source country", client?.country),
    })
  );
}

/** Events as lines of the Common Event Format, version 0. */
export const cefFormat: Format<string> = { name: "cef", contentType: "text/plain", encode };
