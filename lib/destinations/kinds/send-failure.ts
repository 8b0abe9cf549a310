import type { SinkAnswer } from "@/lib/destinations/kinds/kind";
import { retryAfterMs } from "@/lib/network/retry-after";

/** Bytes of an answer that are kept as evidence. */
const EVIDENCE_BYTES = 1_000;
/** The longest wait that a receiver may request, in milliseconds. */
const MAX_WAIT_MS = 3_600_000;

/** A batch that was not taken. It is sent again; nothing is skipped. */
export class SendFailure extends Error {
  override readonly name = "SendFailure";
  /** Status of the answer; null if there was none. */
  readonly status: number | null;
  /** The wait that the receiver requests. */
  readonly retryAfterMs: number | null;
  /** The first bytes of the answer, as text. */
  readonly evidence: string | null;

  /** `message` is for people, in a sentence without secrets and without the final dot: `HTTP status 503`. */
  constructor(
    message: string,
    { status = null, retryAfterMs = null, evidence = null }: Partial<Omit<SendFailure, keyof Error>> = {},
  ) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.evidence = evidence;
  }
}

/** The first bytes of an answer as one line of text. */
export function evidenceOf(body: Uint8Array): string | null {
  const text = Buffer.from(body.subarray(0, EVIDENCE_BYTES)).toString("utf8");
  return text.replace(/[\p{Cc}\s]+/gu, " ").trim() || null;
}

/** The wait of `Retry-After` in milliseconds, at most an hour; null without a usable one. */
export function retryAfterOf({ headers }: Pick<SinkAnswer, "headers">, now: number): number | null {
  const header = headers["retry-after"];
  const ms = retryAfterMs(typeof header === "string" ? header : undefined, now);
  return ms !== null && ms > 0 ? Math.min(ms, MAX_WAIT_MS) : null;
}

/** The failure that an answer stands for. */
export function failureOfAnswer(
  answer: SinkAnswer,
  now: number,
  message = `HTTP status ${answer.status}`,
): SendFailure {
  return new SendFailure(message, {
    status: answer.status,
    retryAfterMs: retryAfterOf(answer, now),
    evidence: evidenceOf(answer.body),
  });
}

/** Throws SendFailure unless the status is 2xx. Redirects are not followed, so they are failures too. */
export function assertAccepted(answer: SinkAnswer, now: number): void {
  if (answer.status < 200 || answer.status > 299) throw failureOfAnswer(answer, now);
}
