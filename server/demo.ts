import { config, requireSetting } from "@/lib/config";
import { db } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import { setDefaultPurpose } from "@/lib/db/purposes";
import { EXIT_REFUSED } from "@/server/child";
import { reportAgain } from "@/server/demo/certificates";
import { isDemonstration, isTold, markTold } from "@/server/demo/data-dir";
import { tellStory } from "@/server/demo/story";
import { outputJson } from "@/server/json-output";

const REPORT_EVERY_MS = 6 * 3_600_000;

/** A report that is missed is made up for by the next one. */
async function report(): Promise<void> {
  await reportAgain().catch((error: unknown) => logFailure("the hosts of the story were not reported on", error));
}

for (const event of ["SIGTERM", "SIGINT", "disconnect"] as const) {
  // At once: what is half told is told anew at the next start, and a story whose databases were closed would fail aloud.
  process.on(event, () => process.exit(0));
}

// Events of 90 days need partitions, which the owner of the audit database makes.
setDefaultPurpose("job");
const { DATA_DIR } = config();
if (!isTold(DATA_DIR)) {
  if (!isDemonstration(DATA_DIR) || (await db().organization.count({ where: { demonstration: false } })) > 0) {
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
  markTold(DATA_DIR);
} else {
  await report();
}
outputJson();
process.send?.({ type: "ready" });
// It lasts until it is asked to stop: the supervisor takes a process that ends for one that died.
setInterval(() => void report(), REPORT_EVERY_MS);
