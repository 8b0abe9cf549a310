import * as z from "zod";
import { headerSecret, shownUrl } from "@/lib/destinations/kinds/fields";
import type { Shape } from "@/lib/destinations/kinds/kind";
import { httpUrl } from "@/lib/http/schemas/http-url";

/** The endpoint of events at the address that was given, with or without its path. */
export function splunkUrl(given: string, path: "event" | "ack"): string {
  const base = shownUrl(given)
    .replace(/\/+$/, "")
    .replace(/\/services\/collector(?:\/event)?$/, "");
  return `${base}/services/collector/${path}`;
}

export const splunkShape = {
  type: "splunk",
  label: "Splunk HTTP Event Collector",
  settings: z.strictObject({
    url: httpUrl.describe("The address of the collector, such as `https://splunk.example.com:8088`."),
    index: z
      .string()
      .regex(/^[a-z0-9_][a-z0-9_-]{0,79}$/, "must be an index name of lower-case letters, digits, _ and -")
      .nullable()
      .default(null)
      .describe("The index; null for the token's default."),
    sourcetype: z
      .string()
      .trim()
      .regex(/^[\w:.-]{1,100}$/, "must be letters, digits, _, :, . and -")
      .nullable()
      .default(null)
      .describe("Defaults to `sealwatch:audit`, `sealwatch:ocsf`, `sealwatch:ecs` or `cef`, by the format."),
  }),
  secrets: z.strictObject({ token: headerSecret.describe("The token of the event collector.") }),
  formats: ["sealwatch", "ocsf", "ecs", "cef"],
  addresses: ["url"],
  describe: ({ url }: { url: string }) => splunkUrl(url, "event"),
} as const satisfies Shape;
