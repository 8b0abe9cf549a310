import type pg from "pg";
import { connectClient } from "@/lib/db/connections";

/** Extra connections to open: a pooler may consist of several processes, and each has its own sessions. */
const OTHERS = 4;

/**
 * Whether `url`, to which `client` is connected, leads to a pooler that lends a session for one transaction or statement only.
 * Rejects if a connection fails.
 */
export async function sharesSessions(url: string, client: pg.Client): Promise<boolean> {
  const own = await backendOf(client);
  // PostgreSQL reports a new connection's backend process id; a pooler invents a number.
  if (own === (client as unknown as { processID: number }).processID) return false;
  const others: pg.Client[] = [];
  try {
    // A connection with its own session always has the same backend, and no other connection has it. A lent session, whether the
    // most or the least recently used, is either lent to another connection in between or differs the next time.
    for (let index = 0; index < OTHERS; index++) {
      const other = await connectClient(url, "migration");
      others.push(other);
      await other.query("BEGIN");
      if ((await backendOf(other)) === own || (await backendOf(client)) !== own) return true;
    }
    for (const other of others) await other.query("COMMIT");
    for (let index = 0; index < OTHERS; index++) if ((await backendOf(client)) !== own) return true;
    return false;
  } catch (error) {
    if (error instanceof Error && /statement pooling/.test(error.message)) return true;
    throw error;
  } finally {
    await Promise.all(others.map((other) => other.end().catch(() => {})));
  }
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid;
}
