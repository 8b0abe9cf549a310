import type * as contract from "@/lib/certificates/endpoints/bulk-contract";
import { bulkUpsertEndpoints } from "@/lib/certificates/endpoints/bulk-upsert-endpoints";
import { type ImportItem, readCsv, readLines } from "@/lib/certificates/endpoints/import-text";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalid } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { MAX_ITEMS } from "@/lib/http/schemas/bulk";

function readText(format: "lines" | "csv", text: string): ImportItem[] {
  try {
    return format === "csv" ? readCsv(text) : readLines(text);
  } catch (error) {
    throw invalid("text", error instanceof Error ? error.message : "cannot be read");
  }
}

/** Imports the endpoints listed in a text, like bulk, with one result per line. Throws 400, 402, 403. */
export async function importEndpoints(
  principal: Principal,
  { format, text, defaults, dry_run }: Input<typeof contract.importEndpoints>,
): Promise<Output<typeof contract.importEndpoints>> {
  requireAdmin(principal);
  const all = readText(format, text);
  if (all.length === 0) throw invalid("text", "must list at least one endpoint");
  if (all.length > MAX_ITEMS) throw invalid("text", `must list at most ${MAX_ITEMS} endpoints`);
  const items = all.map(({ fields }) => (typeof fields === "string" ? null : { ...defaults, ...fields }));
  const { results } = await bulkUpsertEndpoints(principal, { items, dry_run });
  return {
    dry_run,
    results: results.map(({ index, ...result }) => {
      const { line = 0, target = "", fields } = all[index] ?? {};
      return { line, target, ...result, ...(typeof fields === "string" && { error: fields }) };
    }),
  };
}
