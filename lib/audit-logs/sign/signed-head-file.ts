import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { config } from "@/lib/config";
import { log } from "@/lib/log";

const shape = z.strictObject({ epoch: z.number().int(), size: z.number().int(), root: z.string() });

/** The last signed head of the installation's log. `root` is base64. */
export type SignedHead = z.output<typeof shape>;

const file = () => join(config().DATA_DIR, "audit-seal-head.json");

/** The last head that this machine signed, kept beside its key because both databases may be restored together. Null if there is none. */
export async function readSignedHead(): Promise<SignedHead | null> {
  try {
    return shape.parse(JSON.parse(await readFile(file(), "utf8")));
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ENOENT")
      log.error({ err: error }, "the last signed head cannot be read");
    return null;
  }
}

/** Keeps a head. The file is never incomplete. */
export async function writeSignedHead(head: SignedHead): Promise<void> {
  const draft = `${file()}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, `${JSON.stringify(head)}\n`, { mode: 0o600, flush: true });
  await rename(draft, file());
}
