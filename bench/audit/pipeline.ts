import pg from "pg";
import { LARGEST } from "@/bench/audit/events";
import { load } from "@/bench/audit/load";
import { percentile, row } from "@/bench/measure";
import { startSealwatch } from "@/e2e/support/sealwatch";
import { hashSecret, hintOf, newSecret } from "@/lib/auth/secret";
import { requireSetting } from "@/lib/config";
import { newId } from "@/lib/ids";

const PATH = "/api/v1/certificates?limit=1";
const CONNECTIONS = 32;
const ROUNDS = 7;
const ROUND_MS = 6_000;
/** Each may ask 100 times a minute. */
const KEYS = 1_000;

/**
 * Requests per second through the whole pipeline of two servers of one build, started as `npm start` does: one whose log is full,
 * with keys of its largest organization, and one whose log is empty. They take turns, so what else the machine does meets both.
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
        { url: full.url, secrets: await makeKeys(requireSetting("DATABASE_URL")), rates: [] as number[] },
        { url: empty.url, secrets: await makeKeys(empty.databases.app), rates: [] as number[] },
      ];
      for (const { url, secrets } of servers) await load(url, PATH, secrets, CONNECTIONS, ROUND_MS);
      for (let round = 0; round < ROUNDS; round++) {
        // Who goes first changes as well.
        for (const { url, secrets, rates } of round % 2 === 0 ? servers : servers.toReversed()) {
          rates.push(await load(url, PATH, secrets, CONNECTIONS, ROUND_MS));
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

/** Makes keys of the largest organization, and it where it is not there. Returns their secrets. */
async function makeKeys(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO organizations (id, name, slug, plan, audit_classes, created_at)
       VALUES ($1, 'Largest', 'largest', 'business', '{365}', now()) ON CONFLICT DO NOTHING`,
      [LARGEST],
    );
    const keys = Array.from({ length: KEYS }, () => ({ id: newId(), secret: newSecret() }));
    const values = [
      LARGEST,
      keys.map(({ id }) => id),
      keys.map(({ secret }) => hintOf(secret)),
      keys.map(({ secret }) => hashSecret(secret)),
    ];
    await client.query(
      `WITH given AS (SELECT * FROM unnest($2::uuid[], $3::text[], $4::bytea[]) AS given (id, hint, hash)), made AS (
         INSERT INTO api_keys (organization_id, id, name, permission, ip_whitelist, hint, created_at, created_by_type, created_by_name)
         SELECT $1, id, hint, 'read', '{}', hint, now(), 'system', 'Bench' FROM given
       )
       INSERT INTO api_key_secrets (hash, organization_id, api_key_id, hint, issued_at)
       SELECT hash, $1, id, hint, now() FROM given`,
      values,
    );
    return keys.map(({ secret }) => secret);
  } finally {
    await client.end();
  }
}
