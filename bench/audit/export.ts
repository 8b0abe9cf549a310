import pg from "pg";
import { LARGEST } from "@/bench/audit/events";
import { row } from "@/bench/measure";
import { AuditEventDraft, draftStorage } from "@/lib/audit-logs/audit-event-draft";
import { filters } from "@/lib/audit-logs/filters";
import { exportAuditLogs } from "@/lib/audit-logs/read/export";
import { inline } from "@/lib/audit-logs/read/export-sql";
import { readPage } from "@/lib/audit-logs/read/pages";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { where } from "@/lib/audit-logs/scope/where";
import { requireSetting } from "@/lib/config";
import { CopyOut } from "@/lib/db/rows/copy-out";
import { systemPrincipal } from "@/lib/http/principal";
import { idAt, idTime } from "@/lib/ids";

/** Compares an export of about `rows` rows as CSV with PostgreSQL's COPY of the same rows. Both outputs are read and discarded. */
export async function measureExport(rows: number): Promise<void> {
  const scope = await scopeOf(LARGEST);
  const last = (
    await readPage(scope, filters.parse({}), "asc", rows, null, { columns: "id", timeoutMs: Infinity })
  ).rows.at(-1);
  const until = new Date(idTime(last?.id ?? "")).toISOString();
  const conditions = where(scope, filters.parse({}));
  conditions.add(`id >= ${conditions.value(idAt(scope.oldest))} AND id < ${conditions.value(idAt(Date.parse(until)))}`);
  const ratios: number[] = [];
  let growth = 0;
  let ours = 0;
  for (let round = 0; round < 3; round++) {
    const plain = await drain(
      inline(`COPY (SELECT * FROM audit_events WHERE ${conditions} ORDER BY id) TO STDOUT CSV`, conditions.values),
    );
    const before = process.memoryUsage().rss;
    let peak = before;
    const started = performance.now();
    const response = await draftStorage.run(new AuditEventDraft(), () =>
      exportAuditLogs(systemPrincipal(LARGEST), {
        format: "csv",
        bom: false,
        include: undefined,
        ...filters.parse({ until }),
      }),
    );
    let lines = -1;
    for await (const block of response.body as AsyncIterable<Uint8Array>) {
      for (let at = block.indexOf(10); at !== -1; at = block.indexOf(10, at + 1)) lines++;
      peak = Math.max(peak, process.memoryUsage().rss);
    }
    ours = lines / ((performance.now() - started) / 1000);
    growth = Math.max(growth, peak - before);
    ratios.push(ours / plain);
  }
  ratios.sort((a, b) => a - b);
  row(
    "export CSV",
    `${Math.round(ours)} rows/s`,
    `ratio to COPY ${(ratios[1] ?? 0).toFixed(2)}`,
    `memory +${Math.round(growth / 2 ** 20)} MiB`,
  );
}

async function drain(sql: string): Promise<number> {
  const client = new pg.Client({ connectionString: requireSetting("AUDIT_DATABASE_URL") });
  await client.connect();
  const started = performance.now();
  const copy = new CopyOut(sql, "", "\n");
  copy.start(client);
  while ((await copy.next()) !== null);
  const rate = copy.rows / ((performance.now() - started) / 1000);
  await client.end();
  return rate;
}
