import * as z from "zod";
import { endpoint, pageQuery, queryNumber, time } from "@/lib/http/endpoint";

/** A size of the log. */
const size = queryNumber(z.number("must be a whole number").int().min(0).max(Number.MAX_SAFE_INTEGER));
/** The epoch of which a file or a proof is asked for. */
export const epochQuery = queryNumber(
  z
    .number("must be a whole number")
    .int()
    .min(1)
    .max(2 ** 31 - 1),
)
  .optional()
  .describe("The epoch of the sealed log, such as a closed one; by default the current one.");
const hash = z.string().describe("32 bytes as base64.");

export const getAuditProof = endpoint({
  method: "GET",
  path: "/audit-logs/{id}/proof",
  action: "audit_log.proof",
  errors: ["NOT_SEALED_YET"],
  summary:
    "A file that proves, with the event and the log's key alone, that the event is in the sealed log (C2SP tlog-proof). 409 until a signed checkpoint covers the event.",
  data: z.unknown(),
  raw: true,
  media: ["text/plain"],
});

export const listCheckpoints = endpoint({
  method: "GET",
  path: "/audit-logs/checkpoints",
  action: "audit_log.checkpoints",
  summary:
    "The signed checkpoints of the sealed log that are kept: the newest, the last of each day, and those that were sent to a channel. Newest first.",
  query: z.strictObject(pageQuery),
  data: z
    .strictObject({
      epoch: z.number().int(),
      size: z.number().int(),
      checkpoint: z.string().describe("A note with origin, size, root and signature (C2SP tlog-checkpoint)."),
      signed_at: time,
    })
    .meta({ id: "AuditCheckpoint" }),
  list: true,
});

export const getConsistency = endpoint({
  method: "GET",
  path: "/audit-logs/consistency",
  action: "audit_log.consistency",
  errors: ["CONFLICT", "NOT_SEALED_YET"],
  summary: "Proves that the log of `to` events begins with that of `from` events (RFC 6962, section 2.1.2).",
  query: z.strictObject({
    from: size.describe("A size of the log, such as that of a checkpoint you kept."),
    to: size.describe("A size up to that of the newest checkpoint."),
    epoch: epochQuery,
  }),
  data: z
    .strictObject({ from: z.number().int(), to: z.number().int(), hashes: z.array(hash) })
    .meta({ id: "AuditConsistency" }),
});
