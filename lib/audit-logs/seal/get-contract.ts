import * as z from "zod";
import { endpoint, time } from "@/lib/http/endpoint";

const count = z.number().int();

export const sealedLog = z
  .strictObject({
    origin: z.string().nullable().describe("The name of the log in its checkpoints; null until it is signed first."),
    vkey: z
      .string()
      .nullable()
      .describe(
        "The key that verifies the newest checkpoint (C2SP signed-note). Note it down elsewhere: it is what a verifier trusts.",
      ),
    keys: z
      .array(z.strictObject({ vkey: z.string(), note: z.string() }))
      .describe(
        "The changes of the key in this epoch, oldest first: the new key, and the first checkpoint after the change, signed by the key before and the new one.",
      ),
    epoch: count.describe("Counts the histories of the log: a restored backup begins a new one."),
    size: count.describe(
      "Number of events under the newest signed checkpoint, including those that have expired since.",
    ),
    root: z
      .string()
      .nullable()
      .describe("The root of the tree over these events (RFC 6962), as base64. It commits to every one of them."),
    checkpoint: z
      .string()
      .nullable()
      .describe("The newest checkpoint: a note with origin, size, root and signature (C2SP tlog-checkpoint)."),
    signed_at: time.nullable(),
    oldest_index: count.nullable().describe("The oldest event whose seal is kept; null if there is none."),
    lag_seconds: z
      .number()
      .nullable()
      .describe("How long the oldest event that is not sealed yet has waited; null if every event is sealed."),
    refused: z
      .string()
      .nullable()
      .describe("Why the log is no longer signed: it does not continue what was signed. Null if it does."),
    is_importing: z.boolean().describe("Whether events from before the sealed log are still being sealed."),
    stamps: z
      .array(
        z.strictObject({
          size: count.describe("Number of entries under the checkpoint whose time is stamped."),
          at: time.describe("The time that the authority states."),
          authority: z.string().describe("The host of the authority."),
          checkpoint: z
            .string()
            .describe(
              "The installation's checkpoint at that time. The stamp is over its text: three lines, with their newlines.",
            ),
          token: z
            .string()
            .describe("The time stamp (RFC 3161), as base64 of DER. `openssl ts -verify` takes it with `-token_in`."),
        }),
      )
      .describe(
        "The last ten time stamps of an authority, newest first; one a day, if the installation has an authority.",
      ),
    witnesses: z
      .array(
        z.strictObject({
          name: z.string(),
          vkey: z.string().describe("The key that verifies its cosignatures. Take it from the witness, not from here."),
          size: count
            .nullable()
            .describe(
              "Number of entries of this log under the newest checkpoint that the witness has cosigned; null if there is none.",
            ),
          cosigned_at: time.nullable().describe("The time that its last cosignature states; null before the first."),
          silent_since: time
            .nullable()
            .describe("Since when it has not cosigned, if that is longer than a day; null otherwise."),
        }),
      )
      .describe(
        "The witnesses of the installation by name: each cosigns that its log, which has the heads of all organizations' logs, has only grown.",
      ),
    self_check: z
      .strictObject({
        at: time.describe("When it finished."),
        result: z.enum(["ok", "failed"]),
        size: count.describe("Number of entries from the beginning of the log that it covers."),
        first_wrong_index: count
          .nullable()
          .describe("The first wrong entry; null if none is, as with an event that was never sealed."),
        message: z.string().nullable().describe("What is wrong, in a sentence; null if nothing is."),
      })
      .nullable()
      .describe("The last nightly comparison of the stored events with what was sealed; null before the first one."),
  })
  .meta({ id: "SealedLog" });
export type SealedLog = z.output<typeof sealedLog>;

export const getSealedLog = endpoint({
  method: "GET",
  path: "/audit-logs/seal",
  action: "audit_log.seal",
  summary: "The state of the organization's sealed log: a Merkle tree over all of its events.",
  data: sealedLog,
});
