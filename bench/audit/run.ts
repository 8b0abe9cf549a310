import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { measureExport } from "@/bench/audit/export";
import { createLargest, fill } from "@/bench/audit/fill";
import { measureGroups } from "@/bench/audit/groups";
import { measurePages } from "@/bench/audit/pages";
import { measurePipeline } from "@/bench/audit/pipeline";
import { measureQueries } from "@/bench/audit/queries";
import { measureRetention } from "@/bench/audit/retention";
import { measureSize } from "@/bench/audit/size";
import { measureWriter } from "@/bench/audit/writer";
import { row } from "@/bench/measure";
import { buildIndexes } from "@/lib/audit-logs/partitions/build-indexes";
import { configure } from "@/lib/config";
import { auditPool } from "@/lib/db/audit";
import { closeDatabases } from "@/server/database/close-databases";
import { withDatabases } from "@/server/database/databases";

/** Measures a large audit log. Keeps its own data directory, so that a second run does not fill it again. */
export async function auditBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: "string", default: "1000000" },
      only: { type: "string" },
      data: { type: "string", default: ".data" },
      busy: { type: "boolean", default: false },
    },
  });
  const count = Number(values.events);
  configure({ DATA_DIR: resolve(values.data, `bench-audit-${count}`) });
  const wants = (name: string) => values.only === undefined || values.only.split(",").includes(name);
  await withDatabases(async () => {
    await createLargest();
    await fill(auditPool(), count);
    // As the worker does: the log may be older than an index.
    await buildIndexes(new AbortController().signal);
    const label = count.toLocaleString("en");
    if (wants("queries")) {
      row("events", "what", "where", "median", "p95", "slowest");
      row("---:", "---", "---", "---:", "---:", "---");
      await measureQueries(label, values.busy);
    }
    if (wants("groups")) await measureGroups(label, values.busy);
    if (wants("size")) await measureSize(label);
    if (wants("writer")) await measureWriter();
    if (wants("export")) await measureExport(Math.min(1_000_000, count / 2));
    if (wants("pages")) await measurePages(label);
    if (wants("pipeline")) await measurePipeline(label);
    // Last, because it deletes the events.
    if (wants("retention")) await measureRetention(label);
    await closeDatabases();
  });
}
