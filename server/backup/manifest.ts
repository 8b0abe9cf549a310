import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { CliError } from "@/server/cli-error";

export const MANIFEST = "manifest.json";
/** A release that writes other files increases it. */
const FORMAT = 1;

/** These become part of statements, so they may be nothing else. */
const bound = z.string().regex(/^FOR VALUES (IN|FROM) \('[^'\\]*'\)( TO \('[^'\\]*'\))?$/);
const partitionKey = z.string().regex(/^RANGE \("?\w+"?\)$/);

const tableShape = z.strictObject({
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
  /** Of a partition: the table that it is attached to, and its bound, as `FOR VALUES FROM (…) TO (…)`. */
  partition: z.strictObject({ schema: z.string(), of: z.string(), bound }).nullable(),
  /** The file with its rows, gzipped in PostgreSQL's text format; null if there are none. */
  file: z
    .string()
    .regex(/^(monitoring|audit)\/\w+\.\w+\.copy\.gz$/)
    .nullable(),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string().nullable(),
});

const databaseShape = z.strictObject({
  server_version: z.string(),
  /** Everything that had been committed by then is in the backup. */
  snapshot_at: z.string(),
  migrations: z.array(z.strictObject({ name: z.string(), checksum: z.string() })),
  /** Partitions that are partitioned themselves, outermost first. `by` is the key, as `RANGE (id)`. */
  branches: z.array(z.strictObject({ schema: z.string(), name: z.string(), of: z.string(), bound, by: partitionKey })),
  tables: z.array(tableShape),
  sequences: z.array(
    z.strictObject({ schema: z.string(), name: z.string(), value: z.string(), is_called: z.boolean() }),
  ),
});

const headShape = z.strictObject({ epoch: z.int(), size: z.int(), signed_size: z.int(), root: z.string().nullable() });

const manifestShape = z.strictObject({
  format: z.literal(FORMAT),
  id: z.uuid(),
  version: z.string(),
  begun_at: z.string(),
  ended_at: z.string(),
  databases: z.strictObject({ monitoring: databaseShape, audit: databaseShape }),
  sealed_log: z.strictObject({
    /** The newest signed checkpoint of the installation. */
    checkpoint: z.string().nullable(),
    /** By organization. */
    heads: z.record(z.string(), headShape),
  }),
});

/** What a backup consists of. */
export type Manifest = z.output<typeof manifestShape>;
export type BackedUpDatabase = z.output<typeof databaseShape>;
export type BackedUpTable = z.output<typeof tableShape>;
export type SealedLogHeads = Manifest["sealed_log"];

export const FORMAT_VERSION = FORMAT;

/** The databases, in the order in which they are backed up. */
export const DATABASES = ["monitoring", "audit"] as const;
export type DatabaseName = (typeof DATABASES)[number];

/** The manifest in a folder. Throws CliError if there is none, or if this release cannot read it. */
export function readManifest(folder: string): Manifest {
  const file = join(folder, MANIFEST);
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || (error as NodeJS.ErrnoException).code === "ENOTDIR")
      throw new CliError(`${folder} is not a backup: it has no ${MANIFEST}.`);
    throw new CliError(`${file} cannot be read: ${(error as Error).message}.`);
  }
  const format = (document as { format?: unknown } | null)?.format;
  if (typeof format === "number" && format > FORMAT)
    throw new CliError(`${file} was written by a newer release. Restore with that release.`);
  const parsed = manifestShape.safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new CliError(`${file} is damaged: ${issue?.path.join(".")}: ${issue?.message}.`);
  }
  return parsed.data;
}
