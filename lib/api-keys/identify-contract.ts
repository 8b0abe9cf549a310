import * as z from "zod";
import { apiKey } from "@/lib/api-keys/contract";
import { endpoint, time } from "@/lib/http/endpoint";

export const identifyApiKey = endpoint({
  method: "GET",
  path: "/api-keys/identify",
  action: "api_key.identify",
  summary:
    "The key that a secret belongs to, also if it was rotated out. Send the SHA-256 of the secret, never the secret itself.",
  query: z.strictObject({
    secret_sha256: z
      .string()
      .toLowerCase()
      .regex(/^[0-9a-f]{64}$/, "must be a SHA-256: 64 hexadecimal digits")
      .describe("SHA-256 of the secret, in hexadecimal. The audit log records its presence, not its value."),
  }),
  data: z
    .strictObject({
      match: z
        .strictObject({
          api_key: apiKey,
          hint: z.string().describe("The secret's first and last characters."),
          issued_at: time,
          retired_at: time.nullable().describe("When a rotation replaced the secret; null for the current secret."),
        })
        .nullable()
        .describe("Null if it is no secret of the organization."),
    })
    .meta({ id: "IdentifiedSecret" }),
  credentials: ["secret_sha256"],
});

export type IdentifiedSecret = z.output<typeof identifyApiKey.data>;
