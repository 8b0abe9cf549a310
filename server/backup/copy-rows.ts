import type pg from "pg";
import { destroy } from "@/lib/db/connections";
import { CopyOut } from "@/lib/db/rows/copy-out";

/** A database that sends nothing for this long counts as unresponsive, in milliseconds. */
const STALL_TIMEOUT_MS = 120_000;

/** The rows of a COPY … TO STDOUT in the client's transaction, in blocks of whole lines. Returns their number. */
export async function* rowsOf(client: pg.Client, text: string): AsyncGenerator<Buffer, number> {
  const copy = new CopyOut(text, "", "\n");
  copy.start(client);
  let isEnded = false;
  try {
    for (;;) {
      const stalled = setTimeout(() => destroy(client), STALL_TIMEOUT_MS);
      const block = await copy.next().finally(() => clearTimeout(stalled));
      if (block === null) break;
      yield block;
    }
    isEnded = true;
    return copy.rows;
  } finally {
    // Nobody reads the rest, so the connection can do nothing else.
    if (!isEnded) destroy(client);
  }
}
