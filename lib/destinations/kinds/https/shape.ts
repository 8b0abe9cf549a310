import * as z from "zod";
import { headerSecret, shownUrl } from "@/lib/destinations/kinds/fields";
import type { Shape } from "@/lib/destinations/kinds/kind";
import { httpUrl } from "@/lib/http/schemas/http-url";

export const httpsShape = {
  type: "https",
  label: "HTTPS",
  settings: z.strictObject({
    url: httpUrl.describe("Receives POST requests of gzipped NDJSON, signed according to Standard Webhooks."),
  }),
  secrets: z.strictObject({
    authorization: headerSecret
      .nullable()
      .default(null)
      .describe("The whole value of the header Authorization, such as `Bearer …`."),
  }),
  formats: ["sealwatch", "ocsf", "ecs"],
  isSigned: true,
  addresses: ["url"],
  describe: ({ url }: { url: string }) => shownUrl(url),
} as const satisfies Shape;
