import * as z from "zod";
import { headerSecret } from "@/lib/destinations/kinds/fields";
import type { Shape } from "@/lib/destinations/kinds/kind";
import { httpUrl } from "@/lib/http/schemas/http-url";

interface S3Address {
  endpoint: string | null;
  region: string;
  bucket: string;
  addressing: "virtual_host" | "path";
}

/** The URL of a bucket, without a final slash. */
export function bucketUrl({ endpoint, region, bucket, addressing }: S3Address): string {
  const base = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (addressing === "path") return `${base.origin}/${bucket}`;
  return `${base.protocol}//${bucket}.${base.host}`;
}

const isOrigin = (text: string) => URL.canParse(text) && /^\/?$/.test(new URL(text).pathname + new URL(text).search);

export const s3Shape = {
  type: "s3",
  label: "S3-compatible object storage",
  settings: z
    .strictObject({
      endpoint: httpUrl
        .refine(isOrigin, "must have no path and no query")
        .nullable()
        .default(null)
        .describe("The address of the storage, such as `https://minio.example.com`; null for Amazon S3."),
      region: z
        .string()
        .trim()
        .regex(/^[a-z0-9-]{1,50}$/, "must be lower-case letters, digits and -")
        .default("us-east-1")
        .describe("The region that requests are signed for."),
      bucket: z
        .string()
        .trim()
        .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket")
        .describe("The name of the bucket."),
      addressing: z
        .enum(["virtual_host", "path"])
        .default("virtual_host")
        .describe("`virtual_host` puts the bucket into the host name, `path` into the path."),
      prefix: z
        .string()
        .trim()
        .regex(/^[\w.=-]+(?:\/[\w.=-]+)*$/, "must be letters, digits, _, -, ., = and single slashes between them")
        .refine((text) => !text.split("/").some((part) => /^\.+$/.test(part)), "must have no part of dots only")
        .max(500, "must have at most 500 characters")
        .nullable()
        .default(null)
        .describe("What the names of objects begin with; null for `sealwatch/<organization id>/<destination id>`."),
      access_key_id: z
        .string()
        .trim()
        .regex(/^[\w:.@+=-]{1,200}$/, "must be an access key id")
        .describe("The id of the access key that signs requests."),
      interval_seconds: z
        .int()
        .min(1)
        .max(3_600)
        .default(60)
        .describe(
          "How long events are collected for one object. More than 1,000 events or 4 MB become several objects.",
        ),
      lock_mode: z
        .enum(["governance", "compliance"])
        .nullable()
        .default(null)
        .describe("Locks each object. The bucket must have object lock enabled."),
      lock_days: z.int().min(1).max(36_500).nullable().default(null).describe("How long objects are locked."),
    })
    .refine((settings) => (settings.lock_mode === null) === (settings.lock_days === null), {
      path: ["lock_days"],
      message: "and lock_mode must be given together",
    }),
  secrets: z.strictObject({ secret_access_key: headerSecret.describe("The secret of the access key.") }),
  formats: ["sealwatch", "ocsf", "ecs"],
  needsProof: true,
  addresses: ["endpoint"],
  intervalMs: ({ interval_seconds }: { interval_seconds: number }) => interval_seconds * 1_000,
  exclusiveTarget: (settings: S3Address & { prefix: string | null }) =>
    settings.prefix === null ? null : `${bucketUrl(settings)}/${settings.prefix}`,
  describe: (settings: S3Address & { prefix: string | null }) =>
    [bucketUrl(settings), ...(settings.prefix === null ? [] : [settings.prefix])].join("/"),
} as const satisfies Shape;
