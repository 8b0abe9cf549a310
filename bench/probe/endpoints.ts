import type pg from "pg";
import type { Farm } from "@/bench/probe/farm";
import { newId } from "@/lib/ids";

export const ORGANIZATION = "0193aaaa-0000-7000-8000-00000000bbbb";

/** Each endpoint has its own address, so that no endpoint waits for another. */
export function addressOf(n: number): string {
  return `127.${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;
}

/** The endpoint's name in the farm. */
export function nameOf({ names }: Farm, n: number): string {
  return names[n % names.length] ?? "";
}

/**
 * Fills an empty installation with endpoints of one organization that trusts the farm's root. They are due evenly within
 * `overSeconds`, which begin in `fromSeconds`. One in `hangingEach` leads to a server that never answers.
 */
export async function plant(
  client: pg.ClientBase,
  farm: Farm,
  count: number,
  {
    overSeconds,
    fromSeconds = 0,
    hangingEach = 0,
  }: { overSeconds: number; fromSeconds?: number; hangingEach?: number },
): Promise<void> {
  const store = newId();
  await client.query(
    `INSERT INTO organizations (id, name, slug, plan, audit_classes, created_at)
     VALUES ($1, 'Bench', 'bench', 'enterprise', '{365}', now()) ON CONFLICT DO NOTHING`,
    [ORGANIZATION],
  );
  await client.query("DELETE FROM certificate_endpoints WHERE organization_id = $1", [ORGANIZATION]);
  await client.query(
    `INSERT INTO certificate_trust_stores (organization_id, id, name, pem, created_at, updated_at)
     VALUES ($1, $2, $3, $4, now(), now())`,
    [ORGANIZATION, store, `Farm ${store}`, farm.root],
  );
  const all = Array.from({ length: count }, (_, n) => n);
  for (let at = 0; at < count; at += 10_000) {
    const some = all.slice(at, at + 10_000);
    await client.query(
      `INSERT INTO certificate_endpoints (organization_id, id, host, port, sni, trust_store_id, served_chain,
         next_check_at, created_at, updated_at)
       SELECT $1, gen_random_uuid(), host, port, sni, $5, '{}', now() + make_interval(secs => $7 + random() * $6), now(), now()
       FROM unnest($2::text[], $3::integer[], $4::text[]) AS made (host, port, sni)`,
      [
        ORGANIZATION,
        some.map(addressOf),
        some.map((n) => (hangingEach > 0 && n % hangingEach === 0 ? farm.hangingPort : farm.port)),
        some.map((n) => nameOf(farm, n)),
        store,
        overSeconds,
        fromSeconds,
      ],
    );
  }
  await client.query("ANALYZE certificate_endpoints");
}
