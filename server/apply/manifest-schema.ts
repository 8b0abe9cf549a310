import * as z from "zod";
import { manifest } from "@/server/apply/manifest";

/** Served at its name by the web process. */
export const MANIFEST_SCHEMA_FILE = "public/sealwatch-manifest.schema.json";

/** The JSON schema of a manifest, for editors. */
export function manifestSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(manifest, { io: "input", unrepresentable: "any" });
  return `${JSON.stringify({ $schema, title: "Sealwatch manifest", ...schema }, null, 2)}\n`;
}
