import { LARGEST } from "@/bench/audit/events";
import { makeKeys } from "@/bench/keys";
import { load } from "@/bench/load";
import { percentile, row } from "@/bench/measure";
import { serveMeasured } from "@/bench/serve";
import { pool } from "@/lib/db/app";

const PATH = "/api/v1/certificates?limit=1";
const CONNECTIONS = 32;
/** Each key is allowed 100 requests per minute. */
const KEYS = 10_000;

/**
 * Measures requests per second of a server while its worker sends a backlog, and while it does not. Both take turns, so that other load
 * affects both; the ratio is the median over rounds.
 */
export async function measureBeside(
  label: string,
  destinationId: string,
  { rounds, seconds, env }: { rounds: number; seconds: number; env: Record<string, string> },
): Promise<void> {
  const server = await serveMeasured(env);
  try {
    const secrets = await makeKeys(server.databases.app, LARGEST, KEYS);
    const measure = async () =>
      (await load({ url: server.url, path: PATH, secrets, connections: CONNECTIONS, ms: seconds * 1_000 })).rate;
    const beside = async () => {
      const stop = stream(destinationId);
      try {
        return await measure();
      } finally {
        await stop();
      }
    };
    await pause(destinationId);
    await measure();
    const before = await sent(destinationId);
    const [alone, streaming]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const turns = [async () => alone.push(await measure()), async () => streaming.push(await beside())];
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    }
    const ratios = streaming.map((rate, round) => rate / (alone[round] ?? Number.NaN));
    const [with_, without] = [streaming, alone].map((rates) => Math.round(percentile(rates, 0.5)));
    row(
      label,
      "API beside streaming",
      `${with_} to ${without} requests/s`,
      `ratio ${percentile(ratios, 0.5).toFixed(2)}`,
    );
    const perSecond = ((await sent(destinationId)) - before) / (rounds * seconds);
    row(label, "sent meanwhile", `${Math.round(perSecond)} events/s`, "");
  } finally {
    await server.destroy();
  }
}

/** Lets the worker send the log from its beginning, again and again, until the returned function is called. */
function stream(id: string): () => Promise<void> {
  const again = () =>
    pool().query(
      `UPDATE destinations SET paused_at = NULL, epoch = 1, next_index = 0, scanned_index = 0, attempt_end = NULL, leased_until = NULL,
         next_at = now() WHERE id = $1`,
      [id],
    );
  const sending = again();
  const timer = setInterval(() => void again(), 2_000);
  return async () => {
    clearInterval(timer);
    await sending;
    await pause(id);
  };
}

async function sent(id: string): Promise<number> {
  const { rows } = await pool().query<{ sent: string }>("SELECT sent_events AS sent FROM destinations WHERE id = $1", [
    id,
  ]);
  return Number(rows[0]?.sent);
}

async function pause(id: string): Promise<void> {
  await pool().query("UPDATE destinations SET paused_at = now(), leased_until = NULL WHERE id = $1", [id]);
}
