import * as z from "zod";

const milliseconds = z.number().nullable();
/** The response of a failed check. */
export const evidence = z
  .strictObject({
    status_code: z.int().nullable().describe("http only."),
    address: z.string().nullable(),
    dns_ms: milliseconds,
    connect_ms: milliseconds,
    tls_ms: milliseconds,
    ttfb_ms: milliseconds,
    total_ms: z.number(),
    headers: z
      .record(z.string(), z.string())
      .describe(
        "Up to 50, with the first 500 characters of each. Values that may be secrets, such as cookies, are hidden.",
      ),
    body: z
      .string()
      .nullable()
      .describe(
        "The first 4 KiB, as text; null if it did not arrive. dns: the answers, one per line. tcp: what the server sent.",
      ),
    body_truncated: z.boolean(),
  })
  .meta({ id: "IncidentEvidence" });
export type Evidence = z.output<typeof evidence>;
