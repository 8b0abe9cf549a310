import { gunzipSync } from "node:zlib";
import { config } from "@/lib/config";
import type { Format } from "@/lib/destinations/formats/format";
import type { Exchange, SendContext, SinkAnswer, SinkRequest } from "@/lib/destinations/kinds/kind";
import { SendFailure } from "@/lib/destinations/kinds/send-failure";
import { failureWords } from "@/lib/network/failure-words";
import { fetchGuarded } from "@/lib/network/http";

/** A receiver has this long to take a batch and to answer, in milliseconds. */
const DEADLINE_MS = 30_000;
/** A receiver names each event of a batch, when it refuses some. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** The context of one attempt. `exchanges` collects what was sent and answered. */
export function sendContext(signal: AbortSignal, format: Format, exchanges?: Exchange[]): SendContext {
  const guard = { allowedNetworks: config().PROBE_ALLOWED_NETWORKS };
  const recordHttp = (request: SinkRequest, answer: SinkAnswer | null) => exchanges?.push(exchangeOf(request, answer));
  return {
    ...{ signal, now: Date.now(), format, isTest: false, guard },
    record: (exchange) => void exchanges?.push(exchange),
    fetch: async (request) => {
      try {
        const answer = await fetchGuarded(new URL(request.url), {
          ...{ method: request.method, headers: { ...request.headers }, signal },
          ...(request.body !== undefined && { body: request.body }),
          ...{ deadlineMs: DEADLINE_MS, maxBytes: MAX_ANSWER_BYTES, ...guard },
        });
        recordHttp(request, answer);
        return answer;
      } catch (error) {
        recordHttp(request, null);
        if (signal.aborted) throw error;
        throw new SendFailure(failureWords(error));
      }
    },
  };
}

/** Characters of a body in an exchange. */
const SHOWN_CHARACTERS = 4_000;

/** The exchange as text; a gzipped request is shown as it was before. */
function exchangeOf({ method, url, headers, body }: SinkRequest, answer: SinkAnswer | null): Exchange {
  const { host, pathname, search } = new URL(url);
  // Added by `fetchGuarded`.
  const added = {
    "user-agent": "Sealwatch",
    ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
  };
  return {
    request: {
      head: headOf(`${method} ${pathname}${search} HTTP/1.1`, { host, ...headers, ...added }),
      body: shown(isGzip(body) ? gunzipSync(body) : body),
    },
    answer: answer && { head: headOf(`HTTP/1.1 ${answer.status}`, answer.headers), body: shown(answer.body) },
  };
}

function isGzip(body: string | Buffer | undefined): body is Buffer {
  return Buffer.isBuffer(body) && body[0] === 0x1f && body[1] === 0x8b;
}

function headOf(line: string, headers: SinkAnswer["headers"]): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${[value].flat().join(", ")}`);
  return [line, ...lines].join("\n");
}

/** The first characters of a body, or its length if it is not text. */
function shown(body: string | Buffer | undefined): string {
  if (body === undefined) return "";
  if (typeof body === "string") return body.slice(0, SHOWN_CHARACTERS);
  const text = body.subarray(0, SHOWN_CHARACTERS).toString("utf8");
  return /[\uFFFD\0]/.test(text) ? `(${body.length} bytes)` : text;
}
