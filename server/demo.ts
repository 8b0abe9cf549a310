import { existsSync } from "node:fs";
import { join } from "node:path";
import { config, requireSetting } from "@/lib/config";
import { db } from "@/lib/db/app";
import { setDefaultPurpose } from "@/lib/db/purposes";
import { log } from "@/lib/log";
import { EXIT_REFUSED } from "@/server/child";
import { closeDatabases } from "@/server/close-databases";
import { readOrCreate } from "@/server/data-dir";
import { reportAgain } from "@/server/demo/certificates";
import { tellStory } from "@/server/demo/story";

/** Written when the story has been told to its end. */
const TOLD = "demo.json";

const REPORT_EVERY_MS = 6 * 3_600_000;

/** A report that is missed is made up for by the next one. */
async function report(): Promise<void> {
  await reportAgain().catch((error: unknown) =>
    log.warn({ err: error }, "the hosts of the story were not reported on"),
  );
}

for (const event of ["SIGTERM", "SIGINT", "disconnect"] as const) {
  process.on(event, () => void closeDatabases().finally(() => process.exit(0)));
}

// Events of 90 days need partitions, which the owner of the audit database makes.
setDefaultPurpose("job");
const { DATA_DIR } = config();
if (!existsSync(join(DATA_DIR, TOLD))) {
  if ((await db().organization.count({ where: { demonstration: false } })) > 0) {
    console.error(
      `DATA_DIR ${DATA_DIR} holds organizations that are no demonstration. Give the demonstration one of its own.`,
    );
    process.exit(EXIT_REFUSED);
  }
  console.error("Telling 90 days of an organization (this is done once and takes some seconds)…");
  // What an interrupted start left behind; its events belong to nobody's organization then, and go with time.
  await db().organization.deleteMany({ where: { demonstration: true } });
  await db().user.deleteMany();
  await tellStory(requireSetting("OIDC_ISSUER"), Date.now());
  readOrCreate(DATA_DIR, TOLD, () => `${JSON.stringify({ told_at: new Date().toISOString() })}\n`);
} else {
  await report();
}
process.send?.({ type: "ready" });
// It lasts until it is asked to stop: the supervisor takes a process that ends for one that died.
setInterval(() => void report(), REPORT_EVERY_MS);
