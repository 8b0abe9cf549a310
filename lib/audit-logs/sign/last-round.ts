import type pg from "pg";
import { treeOf } from "@/lib/audit-logs/seal/seal-rows";
import { readHeads } from "@/lib/audit-logs/sign/begin-round";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import type { HeadsProof } from "@/lib/sealed-log/heads";

/** The last round, signed, with the place of every log among its heads. */
export interface LastRound {
  epoch: number;
  index: number;
  checkpoint: string;
  /** The place of the log in a slot. */
  headsOf: (slot: number) => HeadsProof;
}

interface Round {
  epoch: number;
  index: number;
  root: Buffer;
  edge_before: Buffer;
  checkpoint: string | null;
}

/** The last round; null before the first, and while it is being signed. Only as the signer: no round may begin meanwhile. */
export async function lastRound(client: pg.PoolClient, host: string): Promise<LastRound | null> {
  const { rows } = await client.query<Round>(
    `SELECT epoch, index::float8 AS index, root, edge_before, checkpoint FROM audit_seal_rounds
     ORDER BY epoch DESC, index DESC LIMIT 1`,
  );
  const [round] = rows;
  if (round === undefined || round.checkpoint === null) return null;
  const { index, epoch, edge_before, checkpoint } = round;
  const tree = await readHeads(client, host);
  if (Buffer.compare(tree.root(), round.root) !== 0) return null;
  const proof = treeOf({ size: index, edge: edge_before }).hashes.map(encodeBase64).reverse();
  const headsOf = (slot: number) => ({
    ...{ slots: tree.slots, path: tree.path(slot).map(encodeBase64), index, proof, checkpoint },
  });
  return { epoch, index, checkpoint, headsOf };
}
