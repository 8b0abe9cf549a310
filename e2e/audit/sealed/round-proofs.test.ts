import { createHash } from "node:crypto";
import pg from "pg";
import { expect, test } from "vitest";
import { sharedServer } from "@/e2e/support/servers/shared";
import { storeRoundBlocks } from "@/lib/audit-logs/rounds/blocks";
import { proveRounds } from "@/lib/audit-logs/rounds/prove";
import { installationEntry } from "@/lib/sealed-log/heads";
import { verifyConsistency } from "@/lib/sealed-log/proofs";
import { TestTree } from "@/server/testing/sealed-log/test-tree";

const server = sharedServer();
/** Of a transaction that is rolled back. */
const EPOCH = 1_000;
const ROUNDS = 1_300;
const SLOTS = 3;
const SIZES = [
  0,
  1,
  2,
  3,
  100,
  255,
  256,
  257,
  300,
  511,
  512,
  513,
  768,
  1_000,
  1_023,
  1_024,
  1_025,
  1_199,
  1_280,
  ROUNDS,
];

test("growth between any two sizes is proved from rounds, and from blocks when the rounds are gone", async () => {
  const client = new pg.Client({ connectionString: server.databases.audit });
  await client.connect();
  try {
    await client.query("BEGIN");
    const roots = Array.from({ length: ROUNDS }, (_, index) => createHash("sha256").update(`${index}`).digest());
    const tree = new TestTree(roots.map((root) => installationEntry(SLOTS, root)));
    await client.query(
      `INSERT INTO audit_seal_rounds (epoch, index, slots, root, edge_before, checkpoint)
       SELECT $1, index - 1, $2, decode(root, 'hex'), '', '' FROM unnest($3::text[]) WITH ORDINALITY AS round (root, index)`,
      [EPOCH, SLOTS, roots.map((root) => root.toString("hex"))],
    );
    const proveAll = async () => {
      for (const to of SIZES) {
        for (const size of SIZES.filter((from) => from <= to)) {
          const { from, proof } = await proveRounds(client, EPOCH, size, to);
          expect([from.size, Buffer.from(from.root)]).toEqual([size, Buffer.from(tree.head(size).root)]);
          expect([size, to, verifyConsistency(from, tree.head(to), proof)]).toEqual([size, to, true]);
        }
      }
    };
    await proveAll();
    // Some with each round.
    for (const size of [ROUNDS - 1, ROUNDS]) await storeRoundBlocks(client, EPOCH, size);
    await client.query("DELETE FROM audit_seal_rounds WHERE epoch = $1 AND index < 1280", [EPOCH]);
    await proveAll();
    await client.query("DELETE FROM audit_seal_round_blocks WHERE epoch = $1 AND block = 2", [EPOCH]);
    await expect(proveRounds(client, EPOCH, 700, ROUNDS)).rejects.toThrow(RangeError);
  } finally {
    await client.query("ROLLBACK");
    await client.end();
  }
});
