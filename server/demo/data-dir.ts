import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { prepareDataDir, readOrCreate } from "@/server/data-dir";
import { Refusal } from "@/server/web/refusal";

/** Marks a data directory as the demonstration's own. It is the first file in the directory. */
const MARK = "demonstration";
/** Written when the demonstration data is complete. */
const COMPLETE = "demo.json";

/** Whether the demonstration data is complete. */
export function isComplete(dataDir: string): boolean {
  return existsSync(join(dataDir, COMPLETE));
}

export function markComplete(dataDir: string): void {
  readOrCreate(dataDir, COMPLETE, () => `${JSON.stringify({ completed_at: new Date().toISOString() })}\n`);
}

/** Whether the demonstration may delete and write in this directory. */
export function isDemonstration(dataDir: string): boolean {
  // Earlier releases did not write the mark.
  return existsSync(join(dataDir, MARK)) || isComplete(dataDir);
}

/** Claims an empty data directory for the demonstration. Throws Refusal if it holds anything else. */
export function claimDataDir(dataDir: string): void {
  prepareDataDir(dataDir);
  if (isDemonstration(dataDir)) return;
  if (readdirSync(dataDir).length > 0) {
    throw new Refusal(
      `DATA_DIR ${dataDir} already holds other data. Set DATA_DIR to an empty folder for the demonstration.`,
    );
  }
  readOrCreate(dataDir, MARK, () => "This folder belongs to `npm run demo`, which may delete its content.\n");
}
