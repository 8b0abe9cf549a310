import * as z from "zod";
import { time } from "@/lib/http/endpoint";

/** Who may issue for one name of a certificate. */
export const caaOfName = z
  .strictObject({
    name: z.string().describe("Without the wildcard, if any."),
    permits_issuer: z
      .boolean()
      .nullable()
      .describe(
        "Whether the certificate's issuer may issue the next one; null while the records or the issuer's domains are unknown.",
      ),
    at: z.string().nullable().describe("The name with the records: this one or the closest above it; null for none."),
    records: z.array(z.strictObject({ tag: z.string(), value: z.string(), critical: z.boolean() })),
    accounts: z
      .array(
        z.strictObject({
          at: z.string().describe("The name of the record."),
          authority: z.string(),
          uri: z.string(),
          source: z
            .enum(["caa", "validation_persist"])
            .describe("`caa`: `accounturi` in a CAA record. `validation_persist`: a persistent validation in DNS."),
          wildcard: z.boolean(),
          until: time.nullable(),
        }),
      )
      .describe("Accounts at authorities that may issue for the name."),
    changed_at: time.nullable().describe("When another answer than before was read; null if never."),
    answered_at: time.nullable().describe("The last time that all queries were answered."),
    error: z.string().nullable().describe("Why the last queries failed; null after an answer. The last answer stays."),
  })
  .meta({ id: "CertificateNameCaa" });

export type CaaOfName = z.output<typeof caaOfName>;

/** What was read about a name, as stored. */
export const storedReading = z.object({
  at: caaOfName.shape.at,
  records: caaOfName.shape.records,
  accounts: caaOfName.shape.accounts,
});
