import { once } from "node:events";
import type { Socket } from "node:net";
import type pg from "pg";
import { destroy } from "@/lib/db/connections";

/** The methods that pg has for the messages of a COPY. */
interface Connection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
  stream: Socket;
}

/** A database that takes nothing for this long counts as unresponsive, in milliseconds. */
const STALL_TIMEOUT_MS = 120_000;

/** A COPY … FROM STDIN as pg runs it. */
class CopyIn {
  readonly ready: Promise<Connection>;
  readonly done: Promise<number>;
  private begin: (connection: Connection) => void = () => {};
  private finish: (rows: number) => void = () => {};
  private fail: (error: Error) => void = () => {};
  private rows = 0;

  constructor(private readonly text: string) {
    this.ready = new Promise((resolve) => {
      this.begin = resolve;
    });
    this.done = new Promise((resolve, reject) => {
      this.finish = resolve;
      this.fail = reject;
    });
  }

  submit(connection: Connection): void {
    connection.query(this.text);
  }

  handleCopyInResponse(connection: Connection): void {
    this.begin(connection);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0);
  }

  handleReadyForQuery(): void {
    this.finish(this.rows);
  }

  handleError(error: Error): void {
    this.fail(error);
  }

  handleRowDescription(): void {}
  handleEmptyQuery(): void {}
}

/**
 * Runs a COPY … FROM STDIN with what `source` yields, with backpressure. Returns the number of rows. If the source fails, so does the
 * COPY, with the source's error.
 */
export async function copyIn(client: pg.Client, text: string, source: AsyncIterable<Buffer>): Promise<number> {
  const copy = new CopyIn(text);
  client.query(copy as unknown as pg.Submittable);
  // PostgreSQL may refuse at any time; the connection then takes no more.
  const refused = copy.done.then(() => null);
  refused.catch(() => {});
  const connection = await Promise.race([copy.ready, refused]);
  if (connection === null) throw new Error("PostgreSQL ended a COPY that had not begun");
  try {
    for await (const chunk of source) {
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) await Promise.race([drained(client, connection.stream), refused]);
    }
  } catch (error) {
    connection.sendCopyFail("the source failed");
    // Its own error if PostgreSQL refused first; otherwise that of the source.
    const own = await copy.done.then(
      () => error,
      (failure: { code?: string }) => (failure.code === QUERY_CANCELED ? error : failure),
    );
    throw own;
  }
  connection.endCopyFrom();
  return copy.done;
}

/** What PostgreSQL answers to a COPY that the client gives up. */
const QUERY_CANCELED = "57014";

async function drained(client: pg.Client, stream: Socket): Promise<void> {
  const stalled = setTimeout(() => destroy(client), STALL_TIMEOUT_MS);
  try {
    await once(stream, "drain");
  } finally {
    clearTimeout(stalled);
  }
}
