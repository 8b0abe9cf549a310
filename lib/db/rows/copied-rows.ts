import type pg from "pg";
import { connectClient, destroy } from "@/lib/db/connections";
import { CopyOut } from "@/lib/db/rows/copy-out";
import type { RowSource } from "@/lib/db/rows/row-source";

/** A database that sends nothing for this long counts as unresponsive; sorting before the first row takes less. */
const STALL_TIMEOUT_MS = 120_000;

/** Rows of one COPY … TO STDOUT, and therefore of one snapshot, on a separate connection. */
export class CopiedRows implements RowSource {
  private readonly copy: CopyOut;
  private client: pg.Client | undefined;
  private ended = false;

  /** `separator` and `terminator`: see CopyOut. */
  constructor(
    private readonly url: string,
    sql: string,
    separator: string,
    terminator: string,
  ) {
    this.copy = new CopyOut(sql, separator, terminator);
  }

  get rows(): number {
    return this.copy.rows;
  }

  /** Throws if the database sends nothing within the timeout. */
  async next(): Promise<Buffer | null> {
    await this.start();
    if (this.ended) return null;
    const stalled = setTimeout(
      () => this.copy.handleError(new Error("the database stopped sending")),
      STALL_TIMEOUT_MS,
    );
    return this.copy.next().finally(() => clearTimeout(stalled));
  }

  private async start(): Promise<void> {
    if (this.client !== undefined) return;
    this.client = await connectClient(this.url, "export");
    this.client.on("error", (error) => this.copy.handleError(error));
    // The export may have ended while the connection was being opened.
    if (this.ended) await this.client.end();
    else this.copy.start(this.client);
  }

  async end(complete: boolean): Promise<void> {
    this.ended = true;
    // The backend stops at its next write; waiting for it would mean waiting for a reader that has disconnected.
    if (!complete && this.client) destroy(this.client);
    await this.client?.end().catch(() => {});
  }
}
