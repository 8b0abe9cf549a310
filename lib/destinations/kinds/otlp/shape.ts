import * as z from "zod";
import { headerSecret, shownUrl } from "@/lib/destinations/kinds/fields";
import type { Shape } from "@/lib/destinations/kinds/kind";
import { httpUrl } from "@/lib/http/schemas/http-url";

export const otlpShape = {
  type: "otlp",
  label: "OpenTelemetry (OTLP/HTTP)",
  settings: z.strictObject({
    url: httpUrl.describe("The whole URL for logs, such as `https://collector.example.com:4318/v1/logs`."),
    header: z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^[a-z0-9-]{1,100}$/, "must be a header name of letters, digits and -")
      .refine(
        (name) => !["host", "content-length", "content-type", "content-encoding"].includes(name),
        "is not allowed",
      )
      .default("authorization")
      .describe("The header that has the secret."),
  }),
  secrets: z.strictObject({
    header_value: headerSecret.nullable().default(null).describe("The header's whole value, such as `Bearer …`."),
  }),
  formats: ["sealwatch", "ocsf", "ecs"],
  addresses: ["url"],
  describe: ({ url }: { url: string }) => shownUrl(url),
} as const satisfies Shape;
