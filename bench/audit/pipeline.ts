import { LARGEST } from "@/bench/audit/events";
import { makeKeys } from "@/bench/keys";
import { load } from "@/bench/load";
import { percentile, row } from "@/bench/measure";
import { serveMeasured } from "@/bench/serve";
import { liftedLimits } from "@/e2e/support/servers/lifted-limits";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";

const PATH = "/api/v1/certificates?limit=1";
const CONNECTIONS = 32;
const ROUNDS = 7;
const ROUND_MS = 6_000;
/** Each key is allowed 100 requests per minute. */
const KEYS = 1_000;

/**
 * Measures requests per second through the whole pipeline of two servers of the same build. They take turns, so that other load affects
 * both.
 */
export async function comparePipelines(ours: Sealwatch, theirs: Sealwatch): Promise<{ words: string; ratio: string }> {
  const servers = await Promise.all(
    [ours, theirs].map(async ({ url, databases }) => ({
      url,
      secrets: await makeKeys(databases.app, LARGEST, KEYS),
      rates: [] as number[],
    })),
  );
  const measure = async (url: string, secrets: string[]) =>
    (await load({ url, path: PATH, secrets, connections: CONNECTIONS, ms: ROUND_MS })).rate;
  for (const { url, secrets } of servers) await measure(url, secrets);
  for (let round = 0; round < ROUNDS; round++) {
    // The first one alternates too.
    for (const { url, secrets, rates } of round % 2 === 0 ? servers : servers.toReversed()) {
      rates.push(await measure(url, secrets));
    }
  }
  const [our = [], their = []] = servers.map(({ rates }) => rates);
  const ratios = our.map((rate, round) => rate / (their[round] ?? Number.NaN));
  const [first, second] = [our, their].map((rates) => Math.round(percentile(rates, 0.5)));
  return { words: `${first} to ${second} requests/s`, ratio: percentile(ratios, 0.5).toFixed(2) };
}

/** Compares a server with a full log and keys of its largest organization with one with an empty log, both started like `npm start`. */
export async function measurePipeline(label: string): Promise<void> {
  const full = await serveMeasured(liftedLimits);
  try {
    const empty = await startSealwatch(liftedLimits);
    try {
      const { words, ratio } = await comparePipelines(full, empty);
      row(label, "pipeline", `${words} with an empty log`, `ratio ${ratio}`);
    } finally {
      await empty.destroy();
    }
  } finally {
    await full.destroy();
  }
}
