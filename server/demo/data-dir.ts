import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { prepareDataDir, readOrCreate } from "@/server/data-dir";
import { Refusal } from "@/server/web/refusal";

/** Says of a data directory that it is the demonstration's own; written before anything else is. */
const MARK = "demonstration";
/** Written when the story has been told to its end. */
const TOLD = "demo.json";

/** Whether the story has been told to its end. */
export function isTold(dataDir: string): boolean {
  return existsSync(join(dataDir, TOLD));
}

export function markTold(dataDir: string): void {
  readOrCreate(dataDir, TOLD, () => `${JSON.stringify({ told_at: new Date().toISOString() })}\n`);
}

/** Whether the demonstration may delete and write here. */
export function isDemonstration(dataDir: string): boolean {
  // One that was told by a release without the mark is one too.
  return existsSync(join(dataDir, MARK)) || isTold(dataDir);
}

/** Takes an empty data directory for the demonstration. Throws Refusal where anything else is kept. */
export function claimDataDir(dataDir: string): void {
  prepareDataDir(dataDir);
  if (isDemonstration(dataDir)) return;
  if (readdirSync(dataDir).length > 0) {
    throw new Refusal(
      `DATA_DIR ${dataDir} holds what is no demonstration. Give the demonstration a folder of its own.`,
    );
  }
  readOrCreate(dataDir, MARK, () => "This folder belongs to `npm run demo`, which may delete what is in it.\n");
}
