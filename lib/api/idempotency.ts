import { createHash } from "node:crypto";
import type { Endpoint } from "@/lib/api/endpoint";
import { ApiError, invalid } from "@/lib/api/errors";
import { pool } from "@/lib/db/app";

/** Seconds after which an attempt that left no answer is taken for dead. */
const PATIENCE_SECONDS = 60;
const KEPT_HOURS = 24;

/**
 * Does `work` once per `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a repetition with the same body gets the first
 * answer for 24 hours. After a failure the key may be used again. Throws 400, and 409 for another body or one still under way.
 */
export async function idempotently(
  organizationId: string,
  { action }: Endpoint,
  key: string | undefined,
  body: Buffer,
  work: () => Promise<unknown>,
): Promise<unknown> {
  if (key === undefined) return work();
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw invalid("Idempotency-Key", "must be 1 to 200 visible ASCII characters");
  const sha256 = createHash("sha256").update(body).digest();
  const own = [organizationId, action, key];
  const claimed = await pool().query(
    `INSERT INTO idempotency_keys AS k (organization_id, action, key, body_sha256, claimed_at) VALUES ($1, $2, $3, $4, now())
     ON CONFLICT (organization_id, action, key) DO UPDATE SET body_sha256 = $4, claimed_at = now(), answer = NULL
     WHERE k.claimed_at < now() - make_interval(hours => ${KEPT_HOURS})
       OR (k.answer IS NULL AND k.body_sha256 = $4 AND k.claimed_at < now() - make_interval(secs => ${PATIENCE_SECONDS}))`,
    [...own, sha256],
  );
  if (claimed.rowCount === 0) return firstAnswer(own, sha256);
  try {
    const answer = await work();
    await pool().query(
      "UPDATE idempotency_keys SET answer = $4 WHERE organization_id = $1 AND action = $2 AND key = $3",
      [...own, JSON.stringify(answer)],
    );
    return answer;
  } catch (error) {
    await pool()
      .query("DELETE FROM idempotency_keys WHERE organization_id = $1 AND action = $2 AND key = $3", own)
      // Then it is free again once it is taken for dead; what the caller hears is why the work failed.
      .catch(() => {});
    throw error;
  }
}

async function firstAnswer(own: readonly string[], sha256: Buffer): Promise<unknown> {
  const { rows } = await pool().query<{ body_sha256: Buffer; answer: unknown }>(
    "SELECT body_sha256, answer FROM idempotency_keys WHERE organization_id = $1 AND action = $2 AND key = $3",
    [...own],
  );
  const [first] = rows;
  if (first !== undefined && !first.body_sha256.equals(sha256)) {
    throw new ApiError("CONFLICT", "This Idempotency-Key was used with another body.");
  }
  if (first === undefined || first.answer === null) {
    throw new ApiError("CONFLICT", "A request with this Idempotency-Key is still under way.");
  }
  return first.answer;
}

/** Forgets keys that are past their time. */
export async function dropOldIdempotencyKeys(): Promise<void> {
  await pool().query(`DELETE FROM idempotency_keys WHERE claimed_at < now() - make_interval(hours => ${KEPT_HOURS})`);
}
