import { LARGEST } from "@/bench/audit/events";
import { makeKeys } from "@/bench/keys";
import { load } from "@/bench/load";
import { percentile, row } from "@/bench/measure";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";
import { requireSetting } from "@/lib/config";

const PATH = "/api/v1/certificates?limit=1";
const CONNECTIONS = 32;
const ROUNDS = 7;
const ROUND_MS = 6_000;
/** Each key is allowed 100 requests per minute. */
const KEYS = 1_000;

/**
 * Measures requests per second through the whole pipeline of two servers of the same build, started like `npm start`: one with a
 * full log and keys of its largest organization, and one with an empty log. They take turns, so that other load affects both.
 */
export async function measurePipeline(label: string): Promise<void> {
  const full = await startSealwatch({
    DATABASE_URL: requireSetting("DATABASE_URL"),
    AUDIT_DATABASE_URL: requireSetting("AUDIT_DATABASE_URL"),
  });
  try {
    const empty = await startSealwatch();
    try {
      const servers = [
        {
          url: full.url,
          secrets: await makeKeys(requireSetting("DATABASE_URL"), LARGEST, KEYS),
          rates: [] as number[],
        },
        { url: empty.url, secrets: await makeKeys(empty.databases.app, LARGEST, KEYS), rates: [] as number[] },
      ];
      const measure = async (url: string, secrets: string[]) =>
        (await load({ url, path: PATH, secrets, connections: CONNECTIONS, ms: ROUND_MS })).rate;
      for (const { url, secrets } of servers) await measure(url, secrets);
      for (let round = 0; round < ROUNDS; round++) {
        // The first one alternates too.
        for (const { url, secrets, rates } of round % 2 === 0 ? servers : servers.toReversed()) {
          rates.push(await measure(url, secrets));
        }
      }
      const [ours = [], theirs = []] = servers.map(({ rates }) => rates);
      const ratios = ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN));
      row(
        label,
        "pipeline",
        `${Math.round(percentile(ours, 0.5))} requests/s, empty log ${Math.round(percentile(theirs, 0.5))}`,
        `ratio ${percentile(ratios, 0.5).toFixed(2)}`,
      );
    } finally {
      await empty.destroy();
    }
  } finally {
    await full.destroy();
  }
}
