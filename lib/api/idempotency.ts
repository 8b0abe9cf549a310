import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { ReadyResponse } from "@/lib/api/respond";
import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { pool, type Transaction } from "@/lib/db/app";
import { deleteInSteps } from "@/lib/db/delete-in-steps";
import { logFailure } from "@/lib/db/outage-log";
import { ApiError, invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { nextTurn } from "@/lib/turns";

/** Seconds after which an attempt that committed nothing is taken for dead. */
const ATTEMPT_TIMEOUT_SECONDS = 60;
const KEPT_HOURS = 24;
/** Bytes of a body that are hashed in one turn of the event loop: a few milliseconds. */
const HASH_CHUNK_BYTES = 1024 * 1024;
/** Characters of the longest answer that is kept. */
const LONGEST_ANSWER = 1024 * 1024;
/** What a repetition gets again beside status and body; the other headers are its own. */
const KEPT_HEADERS = ["content-type", "location", "etag"];

/** A request that may be repeated. The key is the caller's own: no other key or person of the organization gets its answer. */
export interface RepeatableRequest {
  organizationId: string;
  actorId: string;
  key: string;
  /** SHA-256 of method, target and body: what a repetition has in common with the first request. */
  fingerprint: Buffer;
}

/** The request as one that may be repeated; null without an `Idempotency-Key`. Throws 400 for a malformed one. */
export async function repeatableRequest(
  headers: IncomingHttpHeaders,
  { organizationId, actor }: Principal,
  target: string,
  body: Buffer,
): Promise<RepeatableRequest | null> {
  const given = headers["idempotency-key"];
  if (given === undefined || actor.type === "system") return null;
  const key = Array.isArray(given) ? given.join(", ") : given;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw invalid("Idempotency-Key", "must be 1 to 200 visible ASCII characters");
  const hash = createHash("sha256").update(`POST ${target}\n`);
  for (let at = 0; at < body.length; at += HASH_CHUNK_BYTES) {
    if (at > 0) await nextTurn();
    hash.update(body.subarray(at, at + HASH_CHUNK_BYTES));
  }
  return { organizationId, actorId: actor.id, key, fingerprint: hash.digest() };
}

/**
 * Does `work` once per `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a repetition gets the first answer for 24
 * hours, less the fields that are shown once. The change commits only while this attempt still holds the key, and marks the key as
 * used in the same transaction; an attempt that failed without a commit frees the key. Throws 409 for another request under the
 * key, for one still under way, and for one that was carried out but whose answer is lost.
 */
export async function answerOnce(
  request: RepeatableRequest,
  event: AuditEventDraft,
  shownOnce: readonly string[],
  work: () => Promise<Response>,
): Promise<Response> {
  if (!(await claim(request, event.id))) return firstAnswer(request, event);
  event.changeSteps.push({ last: (tx) => markCommitted(tx, request, event.id) });
  let answer: Response;
  try {
    answer = await work();
  } catch (error) {
    // If this fails too the key is free once the attempt is taken for dead; the caller hears why the work failed.
    await release(request, event.id).catch(() => {});
    throw error;
  }
  if (!(answer instanceof ReadyResponse)) throw new Error("only an answer that is at hand can be given again");
  // The work is done: whoever asked must hear so, even if a repetition will not.
  await keep(request, event.id, answer, shownOnce).catch((error: unknown) => {
    logFailure("the answer to a repeatable request was not kept", error, { request_id: event.id });
  });
  return answer;
}

const OWN = "organization_id = $1 AND actor_id = $2 AND key = $3";
const own = ({ organizationId, actorId, key }: RepeatableRequest) => [organizationId, actorId, key];

/** Whether this attempt has the key now: a new one, one past its time, or that of a dead attempt at the same request. */
async function claim(request: RepeatableRequest, attempt: string): Promise<boolean> {
  const { rowCount } = await pool().query(
    `INSERT INTO idempotent_requests AS r (organization_id, actor_id, key, fingerprint, attempt, claimed_at)
     VALUES ($1, $2, $3, $4, $5, now())
     ON CONFLICT (organization_id, actor_id, key) DO UPDATE SET fingerprint = $4, attempt = $5, claimed_at = now(),
       committed_at = NULL, status = NULL, headers = NULL, body = NULL
     WHERE r.claimed_at < now() - make_interval(hours => ${KEPT_HOURS})
       OR (r.status IS NULL AND r.committed_at IS NULL AND r.fingerprint = $4
         AND r.claimed_at < now() - make_interval(secs => ${ATTEMPT_TIMEOUT_SECONDS}))`,
    [...own(request), request.fingerprint, attempt],
  );
  return rowCount === 1;
}

async function markCommitted(
  tx: Transaction,
  { organizationId, actorId, key }: RepeatableRequest,
  attempt: string,
): Promise<void> {
  const held = await tx.$executeRaw`
    UPDATE idempotent_requests SET committed_at = now()
    WHERE organization_id = ${organizationId}::uuid AND actor_id = ${actorId}::uuid AND key = ${key}
      AND attempt = ${attempt}::uuid`;
  if (held === 0) throw new ApiError("CONFLICT", "A later request with this Idempotency-Key took over.");
}

async function release(request: RepeatableRequest, attempt: string): Promise<void> {
  await pool().query(`DELETE FROM idempotent_requests WHERE ${OWN} AND attempt = $4 AND committed_at IS NULL`, [
    ...own(request),
    attempt,
  ]);
}

async function keep(
  request: RepeatableRequest,
  attempt: string,
  answer: ReadyResponse,
  shownOnce: readonly string[],
): Promise<void> {
  const body = withoutSecrets(answer.content, shownOnce);
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => KEPT_HEADERS.includes(name)));
  const isKept = body.length <= LONGEST_ANSWER;
  await pool().query(
    `UPDATE idempotent_requests SET committed_at = coalesce(committed_at, now()), status = $5, headers = $6, body = $7
     WHERE ${OWN} AND attempt = $4`,
    [...own(request), attempt, ...(isKept ? [answer.status, JSON.stringify(headers), body] : [null, null, null])],
  );
}

/** The body without its secrets, which says so where it had any. */
function withoutSecrets(content: string, shownOnce: readonly string[]): string {
  if (shownOnce.length === 0) return content;
  const body = JSON.parse(content) as { data: Record<string, unknown> };
  for (const field of shownOnce) {
    if ((body.data[field] ?? null) === null) continue;
    delete body.data[field];
    body.data.secret_withheld = true;
  }
  return JSON.stringify(body);
}

interface KeptAnswer {
  fingerprint: Buffer;
  attempt: string;
  committed_at: Date | null;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
}

async function firstAnswer(request: RepeatableRequest, event: AuditEventDraft): Promise<Response> {
  const { rows } = await pool().query<KeptAnswer>(
    `SELECT fingerprint, attempt, committed_at, status, headers, body FROM idempotent_requests WHERE ${OWN}`,
    own(request),
  );
  const [first] = rows;
  if (first !== undefined && !first.fingerprint.equals(request.fingerprint)) {
    throw new ApiError("CONFLICT", "This Idempotency-Key was used for another route or with another body.");
  }
  if (first === undefined || (first.status === null && first.committed_at === null)) {
    throw new ApiError("CONFLICT", "A request with this Idempotency-Key is still under way.");
  }
  event.row.details = { ...event.row.details, repeats: first.attempt };
  if (first.status === null || first.body === null) {
    const message = `The request with this Idempotency-Key was carried out as ${first.attempt}, but its answer was not kept.`;
    throw new ApiError("CONFLICT", message);
  }
  return new ReadyResponse(first.body, {
    status: first.status,
    headers: { ...first.headers, "Idempotent-Replayed": "true" },
  });
}

/** Deletes keys that are past their time, those of the release before too. */
export async function dropOldIdempotencyKeys(signal: AbortSignal): Promise<void> {
  const condition = `claimed_at < now() - make_interval(hours => ${KEPT_HOURS})`;
  for (const table of ["idempotent_requests", "idempotency_keys"]) {
    await deleteInSteps(table, condition, [], () => signal.aborted);
  }
}
