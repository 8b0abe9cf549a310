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

/** Seconds after which an attempt counts as dead. It then is carried out again, unless it committed. */
const ATTEMPT_TIMEOUT_SECONDS = 60;
/** Seconds after which a repetition during the first attempt may come again, at least. */
const MIN_RETRY_AFTER_SECONDS = 5;
const RETENTION_HOURS = 24;
/** Bytes of a body to hash in one turn of the event loop, which takes a few milliseconds. */
const HASH_CHUNK_BYTES = 1024 * 1024;
/** Maximum characters of a stored response. */
const MAX_RESPONSE_LENGTH = 1024 * 1024;
/** Headers that are stored with the response; a replay sets all others itself. */
const STORED_HEADERS = ["content-type", "location", "etag"];

/** A request with an `Idempotency-Key`. Keys are scoped to the caller: no other key or person of the organization receives the response. */
interface RepeatableRequest {
  organizationId: string;
  actorId: string;
  key: string;
  /** SHA-256 of method, target and body, to recognize a repetition of the same request. */
  fingerprint: Buffer;
}

/** The request if it has an `Idempotency-Key`, else null. Throws 400 for a malformed key. */
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
 * Does `work` once per `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): for 24 hours, repetitions receive the first
 * response without the fields shown once. The change and the key's use commit together, and only while this attempt holds the key; an
 * attempt that fails without a commit releases the key. Throws 409 if the key belongs to another request, one in progress (with
 * `retry_after`), or one that succeeded but whose response was not stored.
 */
export async function respondOnce(
  request: RepeatableRequest,
  event: AuditEventDraft,
  shownOnce: readonly string[],
  work: () => Promise<Response>,
): Promise<Response> {
  if (!(await claim(request, event.id))) return originalResponse(request, event);
  event.changeSteps.push({ last: (tx) => markCommitted(tx, request, event.id) });
  let answer: Response;
  try {
    answer = await work();
  } catch (error) {
    // If this fails too, the key is released when the attempt counts as dead; the caller receives the error of the work.
    await release(request, event.id).catch(() => {});
    throw error;
  }
  if (!(answer instanceof ReadyResponse)) throw new Error("only a response with a ready body can be replayed");
  // The work is done, so the caller must receive the response even if it cannot be replayed.
  await storeResponse(request, event.id, answer, shownOnce).catch((error: unknown) => {
    logFailure("the response to a repeatable request was not stored", error, { request_id: event.id });
  });
  return answer;
}

const OWN = "organization_id = $1 AND actor_id = $2 AND key = $3";
const own = ({ organizationId, actorId, key }: RepeatableRequest) => [organizationId, actorId, key];

/** Claims the key for this attempt. False unless the key is new, has expired, or is held by a dead attempt at the same request. */
async function claim(request: RepeatableRequest, attempt: string): Promise<boolean> {
  const { rowCount } = await pool().query(
    `INSERT INTO idempotent_requests AS r (organization_id, actor_id, key, fingerprint, attempt, claimed_at)
     VALUES ($1, $2, $3, $4, $5, now())
     ON CONFLICT (organization_id, actor_id, key) DO UPDATE SET fingerprint = $4, attempt = $5, claimed_at = now(),
       committed_at = NULL, status = NULL, headers = NULL, body = NULL
     WHERE r.claimed_at < now() - make_interval(hours => ${RETENTION_HOURS})
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
  if (held === 0) throw new ApiError("CONFLICT", "A later request with this Idempotency-Key replaced this one.");
}

async function release(request: RepeatableRequest, attempt: string): Promise<void> {
  await pool().query(`DELETE FROM idempotent_requests WHERE ${OWN} AND attempt = $4 AND committed_at IS NULL`, [
    ...own(request),
    attempt,
  ]);
}

async function storeResponse(
  request: RepeatableRequest,
  attempt: string,
  answer: ReadyResponse,
  shownOnce: readonly string[],
): Promise<void> {
  const body = withoutSecrets(answer.content, shownOnce);
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => STORED_HEADERS.includes(name)));
  // The status alone says that the attempt is over.
  const kept = body.length <= MAX_RESPONSE_LENGTH ? [JSON.stringify(headers), body] : [null, null];
  await pool().query(
    `UPDATE idempotent_requests SET committed_at = coalesce(committed_at, now()), status = $5, headers = $6, body = $7
     WHERE ${OWN} AND attempt = $4`,
    [...own(request), attempt, answer.status, ...kept],
  );
}

/** The body without its secrets, with a note if any were removed. */
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
  age_seconds: number;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
}

async function originalResponse(request: RepeatableRequest, event: AuditEventDraft): Promise<Response> {
  const { rows } = await pool().query<KeptAnswer>(
    `SELECT fingerprint, attempt, committed_at, extract(epoch FROM now() - claimed_at)::integer AS age_seconds, status, headers, body
     FROM idempotent_requests WHERE ${OWN}`,
    own(request),
  );
  const [first] = rows;
  if (first !== undefined && !first.fingerprint.equals(request.fingerprint)) {
    throw new ApiError("CONFLICT", "This Idempotency-Key was used for another route or with another body.");
  }
  if (first === undefined || isInProgress(first)) {
    throw new ApiError("CONFLICT", "A request with this Idempotency-Key is still in progress.", {
      retry_after: retryAfter(first?.age_seconds ?? 0),
    });
  }
  event.row.details = { ...event.row.details, repeats: first.attempt };
  if (first.status === null || first.body === null) {
    const message = `The request with this Idempotency-Key succeeded as ${first.attempt}, but its response was not stored.`;
    throw new ApiError("CONFLICT", message);
  }
  return new ReadyResponse(first.body, {
    status: first.status,
    headers: { ...first.headers, "Idempotent-Replayed": "true" },
  });
}

/** Whether the attempt may still answer. After its commit it may check what it created. */
function isInProgress({ status, committed_at, age_seconds }: KeptAnswer): boolean {
  return status === null && (committed_at === null || age_seconds < ATTEMPT_TIMEOUT_SECONDS);
}

/** As long as the attempt has lasted already, so that few repetitions are enough for any attempt. */
function retryAfter(ageSeconds: number): number {
  return Math.min(Math.max(ageSeconds, MIN_RETRY_AFTER_SECONDS), ATTEMPT_TIMEOUT_SECONDS);
}

/** Deletes expired keys, including those from the previous release. */
export async function expireIdempotencyKeys(signal: AbortSignal): Promise<void> {
  const condition = `claimed_at < now() - make_interval(hours => ${RETENTION_HOURS})`;
  for (const table of ["idempotent_requests", "idempotency_keys"]) {
    await deleteInSteps(table, condition, [], () => signal.aborted);
  }
}
