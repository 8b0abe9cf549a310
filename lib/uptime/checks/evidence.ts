import type { IncomingMessage } from "node:http";
import { decodedBody } from "@/lib/network/decoded-body";
import type { Outcome } from "@/lib/uptime/checks/outcome";
import { storable } from "@/lib/uptime/checks/storable";
import type { Evidence } from "@/lib/uptime/evidence";

/** Bytes of a body that are kept. */
export const KEPT_BODY = 4096;
/** Bytes of a body that are searched for secrets: one that begins in the kept part ends within them. */
export const SEARCHED_BODY = KEPT_BODY + 16_384;
const MAX_HEADERS = 50;
const MAX_VALUE = 500;
/** How long to wait for the beginning of a body that no assertion has read, in milliseconds. */
const READ_TIMEOUT_MS = 1_000;

/** Headers whose values may be secrets: of sessions and credentials. */
const SECRET = /cookie|auth|token|secret|session|signature|credential|password|api-?key|csrf|xsrf/i;
export const MASK = "(hidden)";

/** Whether a header of this name may hold a secret. */
export function isSecretHeader(name: string): boolean {
  return SECRET.test(name);
}

/** The values of a header, or a mask if they may be secrets. */
export function shownValue(name: string, values: readonly string[]): string {
  return isSecretHeader(name) ? MASK : values.join(", ");
}

/** The headers of a response, without values that may be secrets. */
export function shownHeaders(headers: NodeJS.Dict<string[]>): Record<string, string> {
  const shown = Object.entries(headers).slice(0, MAX_HEADERS);
  return Object.fromEntries(
    shown.map(([name, values = []]) => [storable(name, MAX_VALUE), storable(shownValue(name, values), MAX_VALUE)]),
  );
}

/** The beginning of a decoded body, as far as it arrives in time, with all that is searched; its end is not waited for. */
export async function readBeginning(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = setTimeout(() => response.destroy(), READ_TIMEOUT_MS);
  try {
    for await (const chunk of decodedBody(response)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= SEARCHED_BODY) break;
    }
  } catch {
    // What has arrived is evidence too.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}

const ms = (microseconds: number | null) => (microseconds === null ? null : microseconds / 1000);

/** What is kept of a failed check; null if there was no response. */
export function evidenceOf({ response, ...outcome }: Outcome): Evidence | null {
  if (!response) return null;
  const { headers, body } = response;
  return {
    status_code: outcome.statusCode,
    address: outcome.address,
    dns_ms: ms(outcome.dnsUs),
    connect_ms: ms(outcome.connectUs),
    tls_ms: ms(outcome.tlsUs),
    ttfb_ms: ms(outcome.ttfbUs),
    total_ms: outcome.totalUs / 1000,
    headers: shownHeaders(headers),
    body: body === null ? null : storable(body.toString("utf8", 0, KEPT_BODY), KEPT_BODY),
    body_truncated: body !== null && body.length > KEPT_BODY,
  };
}
