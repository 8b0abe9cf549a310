import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";

/** Suspends a server's worker at a moment when it has no open transaction whose locks could block others. Returns its process id. */
export async function suspendWorker(server: Sealwatch): Promise<number> {
  const { worker } = server.pids();
  if (worker === undefined) throw new Error("there is no worker");
  const busy = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
    AND state <> 'idle' AND pid <> pg_backend_pid()`;
  await until("the worker sleeps between transactions", async () => {
    process.kill(worker, "SIGSTOP");
    const found = await Promise.all([query(server, "app", busy), query(server, "audit", busy)]);
    if (found.flat().length === 0) return true;
    process.kill(worker, "SIGCONT");
    return false;
  });
  return worker;
}

/** Suspends a server's worker during `work`. */
export async function withoutWorker<Value>(server: Sealwatch, work: () => Promise<Value>): Promise<Value> {
  const worker = await suspendWorker(server);
  try {
    return await work();
  } finally {
    process.kill(worker, "SIGCONT");
  }
}
