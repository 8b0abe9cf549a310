import * as z from "zod";
import { headerSecret, shownUrl } from "@/lib/destinations/kinds/fields";
import type { Shape } from "@/lib/destinations/kinds/kind";
import { httpUrl } from "@/lib/http/schemas/http-url";

/** The bulk endpoint of an index or data stream. */
export function bulkUrl({ url, index }: { url: string; index: string }): string {
  return `${shownUrl(url).replace(/\/+$/, "")}/${index}/_bulk`;
}

export const elasticShape = {
  type: "elastic",
  label: "Elasticsearch or OpenSearch",
  settings: z.strictObject({
    url: httpUrl.describe("The address of the cluster, such as `https://elastic.example.com:9200`."),
    index: z
      .string()
      .trim()
      .regex(/^[a-z0-9][a-z0-9._-]{0,200}$/, "must be lower-case letters, digits, ., _ and -")
      .default("logs-sealwatch.audit-default")
      .describe("A data stream or an index."),
    username: z
      .string()
      .trim()
      .regex(/^[^:\p{Cc}]{1,200}$/u, "must have at most 200 characters without a colon")
      .nullable()
      .default(null)
      .describe("For a password instead of an API key."),
  }),
  secrets: z.strictObject({
    api_key: headerSecret.nullable().default(null).describe("An encoded API key."),
    password: z.string().min(1, "must not be empty").max(1000).nullable().default(null).describe("Of the user name."),
  }),
  formats: ["ecs", "sealwatch", "ocsf"],
  addresses: ["url"],
  describe: bulkUrl,
} as const satisfies Shape;
