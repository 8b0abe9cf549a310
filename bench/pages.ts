import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { ORGANIZATION } from "@/bench/probe/endpoints";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession } from "@/e2e/support/session";
import { ORGANIZATION_COOKIE } from "@/lib/auth/session-cookie";

const VISIT_EACH_MS = 250;

/** Signs in a member of the organization who may read its pages. */
export async function signIn(server: Sealwatch, client: pg.ClientBase): Promise<string> {
  const { userId, cookie } = await newSession(server);
  await client.query(
    "INSERT INTO memberships (organization_id, user_id, permission, created_at) VALUES ($1, $2, 'read', now()) ON CONFLICT DO NOTHING",
    [ORGANIZATION, userId],
  );
  return `${cookie}; ${ORGANIZATION_COOKIE}=${ORGANIZATION}`;
}

/** Opens these pages of the dashboard one after the other, for so many seconds; returns milliseconds to the last byte of each. */
export async function visit(
  server: Sealwatch,
  cookie: string,
  pages: readonly string[],
  seconds: number,
): Promise<number[]> {
  const latencies: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await delay(VISIT_EACH_MS)) {
    const asked = performance.now();
    const answer = await fetch(server.url + (pages[latencies.length % pages.length] ?? ""), { headers: { cookie } });
    if (answer.status !== 200) throw new Error(`a page was answered with ${answer.status}`);
    await answer.text();
    latencies.push(performance.now() - asked);
  }
  return latencies;
}
