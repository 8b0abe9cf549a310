import type pg from "pg";
import { connectClient } from "@/lib/db/connections";

/** Connections opened beside the first: a pooler may consist of several processes, of which each has sessions of its own. */
const OTHERS = 4;

/**
 * Whether `url`, to which `client` is connected, leads to a pooler that lends a session for one transaction or statement only. Throws
 * what connecting failed with.
 */
export async function sharesSessions(url: string, client: pg.Client): Promise<boolean> {
  const own = await backendOf(client);
  // PostgreSQL gives a new connection its backend's process id; a pooler makes one up.
  if (own === (client as unknown as { processID: number }).processID) return false;
  const others: pg.Client[] = [];
  try {
    // Whoever holds a session for as long as it is connected always has the same one, and has it alone. What is borrowed, the most
    // recently or the least recently used, is either given to another in between or not the same twice.
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
