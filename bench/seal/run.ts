import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createLargest, fill } from "@/bench/audit/fill";
import { row } from "@/bench/measure";
import { measureBacklog, measureImport, measureSealBytes } from "@/bench/seal/backlog";
import { measureSealedServer } from "@/bench/seal/bundle";
import { measureSealedPipeline } from "@/bench/seal/pipeline";
import { configure } from "@/lib/config";
import { auditPool } from "@/lib/db/audit";
import { closeDatabases } from "@/server/database/close-databases";
import { withDatabases } from "@/server/database/databases";

/** Of all organizations together; half of them are of the largest. */
const EVENTS_PER_SECOND = 200;

/** Measures the sealed log of a large audit log. Keeps its own data directory, so that a second run does not fill it again. */
export async function sealBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: "string", default: "1000000" },
      only: { type: "string" },
      data: { type: "string", default: ".data" },
    },
  });
  const count = Number(values.events);
  configure({ DATA_DIR: resolve(values.data, `bench-seal-${count}`) });
  const wants = (name: string) => values.only === undefined || values.only.split(",").includes(name);
  await withDatabases(async () => {
    await createLargest();
    await fill(auditPool(), count, { spanMs: Math.ceil(count / EVENTS_PER_SECOND) * 1000 });
    const label = count.toLocaleString("en");
    row("events", "what", "measured", "");
    row("---:", "---", "---", "---");
    await measureBacklog(label);
    await measureImport(label);
    if (wants("size")) await measureSealBytes(label);
    if (wants("bundle") || wants("proofs")) await measureSealedServer(label, wants("bundle") ? null : "proofs");
    if (wants("pipeline")) await measureSealedPipeline();
    await closeDatabases();
  });
}
