import * as z from "zod";
import { time } from "@/lib/http/endpoint";

const renewalWindow = z.strictObject({ start: time, end: time });

/** The renewal information that a certificate's authority publishes. */
export const renewalInfo = z
  .strictObject({
    directory: z.string().describe("The ACME directory of its authority."),
    window: renewalWindow
      .nullable()
      .describe(
        "When the authority suggests to renew it; null until it has answered. After failures, its last answer.",
      ),
    explanation_url: z.string().nullable().describe("A page of the authority about the reason for the window."),
    moved: z
      .strictObject({
        from: renewalWindow.nullable().describe("The window before; null if the first answer showed it."),
        at: time.describe("When an answer showed it first."),
      })
      .nullable()
      .describe("Set while the authority wants it renewed earlier than before, as before a mass revocation."),
    asked_at: time.nullable(),
    answered_at: time.nullable(),
    next_ask_at: time,
    error: z.string().nullable().describe("Why the last request failed; null after an answer."),
  })
  .nullable()
  .meta({ id: "CertificateRenewalInfo" });

export type RenewalInfo = z.output<typeof renewalInfo>;
