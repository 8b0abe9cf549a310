import * as z from "zod";
import { headerSecret, shownUrl } from "@/lib/destinations/kinds/fields";
import type { Shape } from "@/lib/destinations/kinds/kind";
import { httpUrl } from "@/lib/http/schemas/http-url";

/** The sites of Datadog that take logs. */
const datadogSites = [
  "datadoghq.com",
  "us3.datadoghq.com",
  "us5.datadoghq.com",
  "datadoghq.eu",
  "ap1.datadoghq.com",
  "ap2.datadoghq.com",
  "uk1.datadoghq.com",
  "ddog-gov.com",
  "us2.ddog-gov.com",
] as const;

/** The intake of a site, or the given one. */
export function intakeUrl({ site, intake_url }: { site: string; intake_url: string | null }): string {
  return intake_url === null ? `https://http-intake.logs.${site}/api/v2/logs` : shownUrl(intake_url);
}

export const datadogShape = {
  type: "datadog",
  label: "Datadog Logs",
  settings: z.strictObject({
    site: z.enum(datadogSites).default("datadoghq.com").describe("The site of the account."),
    intake_url: httpUrl
      .nullable()
      .default(null)
      .describe("The whole URL of a forwarder with the same API, instead of the site's."),
    service: z
      .string()
      .trim()
      .regex(/^[\w.-]{1,100}$/, "must be letters, digits, _, . and -")
      .default("sealwatch"),
    tags: z
      .string()
      .trim()
      .regex(/^[^\p{Cc}]{0,500}$/u, "must have at most 500 characters")
      .default("")
      .describe("Tags, separated by commas, such as `env:production,team:security`."),
  }),
  secrets: z.strictObject({ api_key: headerSecret.describe("An API key.") }),
  formats: ["sealwatch", "ocsf", "ecs"],
  addresses: ["site", "intake_url"],
  describe: intakeUrl,
} as const satisfies Shape;
