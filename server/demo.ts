import { config, requireSetting } from "@/lib/config";
import { db } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import { connectAsJob } from "@/lib/db/purposes";
import { EXIT_REFUSED } from "@/server/child";
import { reportAgain } from "@/server/demo/certificates";
import { isComplete, isDemonstration, markComplete } from "@/server/demo/data-dir";
import { callAgain } from "@/server/demo/heartbeat";
import { createDemoData } from "@/server/demo/story";
import { discoverAgain } from "@/server/demo/subdomains";
import { checkAgain } from "@/server/demo/uptime";
import { outputJson } from "@/server/json-output";
import { reportMetrics } from "@/server/metrics/report-metrics";

const REPORT_EVERY_MS = 6 * 3_600_000;
const CHECK_EVERY_MS = 30_000;

/** A failed report is not retried: the next one makes up for it. */
async function report(): Promise<void> {
  await reportAgain().catch((error: unknown) =>
    logFailure("the certificates of the demonstration could not be reported", error),
  );
}

async function check(): Promise<void> {
  await Promise.all([checkAgain(), callAgain(), discoverAgain()]).catch((error: unknown) =>
    logFailure("the monitors and domains of the demonstration could not be checked", error),
  );
}

for (const event of ["SIGTERM", "SIGINT", "disconnect"] as const) {
  // Immediately: the next start deletes half-written data and begins again, and writing after the databases stop would log errors.
  process.on(event, () => process.exit(0));
}

// 90 days of events need partitions, which only the owner of the audit database can create.
connectAsJob();
reportMetrics();
const { DATA_DIR } = config();
if (!isComplete(DATA_DIR)) {
  if (!isDemonstration(DATA_DIR) || (await db().organization.count({ where: { demonstration: false } })) > 0) {
    console.error(
      `DATA_DIR ${DATA_DIR} holds organizations that do not belong to the demonstration. Set DATA_DIR to another folder.`,
    );
    process.exit(EXIT_REFUSED);
  }
  console.error("Creating 90 days of demonstration data (only once; takes about a minute)…");
  // Deletes what an interrupted start left behind. Its events have no organization then, and expire.
  await db().organization.deleteMany({ where: { demonstration: true } });
  await db().user.deleteMany();
  await createDemoData(requireSetting("OIDC_ISSUER"), Date.now());
  markComplete(DATA_DIR);
} else {
  await report();
}
await check();
outputJson();
process.send?.({ type: "ready" });
// Keeps running: the supervisor restarts a process that exits.
setInterval(() => void report(), REPORT_EVERY_MS);
setInterval(() => void check(), CHECK_EVERY_MS);
