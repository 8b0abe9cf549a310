import type pg from "pg";

/** The methods that pg calls on the active query for messages of its protocol. */
interface Connection {
  query(text: string): void;
  stream: { pause(): void; resume(): void };
}

interface Block {
  bytes: Buffer;
  rows: number;
}

const BLOCK_BYTES = 256 * 1024;

/**
 * A COPY … TO STDOUT as a source of blocks of whole rows, with backpressure down to the socket. PostgreSQL sends one message per
 * row, ending in `\n`, which `terminator` replaces. `separator` separates rows.
 */
export class CopyOut {
  /** Rows in the blocks returned so far. */
  rows = 0;
  private read = 0;
  private connection: Connection | null = null;
  private block = Buffer.allocUnsafe(BLOCK_BYTES);
  private filled = 0;
  private rowsInBlock = 0;
  private ready: Block[] = [];
  private waiting: { resolve: (block: Buffer | null) => void; reject: (error: Error) => void } | null = null;
  private ended = false;
  private failure: Error | null = null;
  private readonly separator: Buffer;
  private readonly terminator: Buffer;

  constructor(
    private readonly text: string,
    separator: string,
    terminator: string,
  ) {
    this.separator = Buffer.from(separator);
    this.terminator = Buffer.from(terminator);
  }

  /** Starts the COPY on a client that is not used otherwise until it ends. */
  start(client: pg.Client): void {
    client.query(this as pg.Submittable);
  }

  /** The next rows, or null after the last. Throws errors of PostgreSQL or the connection. */
  next(): Promise<Buffer | null> {
    const block = this.ready.shift();
    if (block !== undefined) return Promise.resolve(this.handOut(block));
    if (this.failure !== null) return Promise.reject(this.failure);
    if (this.ended) return Promise.resolve(null);
    this.connection?.stream.resume();
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
  }

  private handOut({ bytes, rows }: Block): Buffer {
    this.rows += rows;
    return bytes;
  }

  private emit(): void {
    if (this.filled === 0) return;
    const block = { bytes: this.block.subarray(0, this.filled), rows: this.rowsInBlock };
    this.block = Buffer.allocUnsafe(BLOCK_BYTES);
    this.filled = 0;
    this.rowsInBlock = 0;
    if (this.waiting !== null) {
      this.waiting.resolve(this.handOut(block));
      this.waiting = null;
      return;
    }
    this.ready.push(block);
    this.connection?.stream.pause();
  }

  submit(connection: Connection): void {
    this.connection = connection;
    connection.query(this.text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const row = chunk.length - 1;
    const before = this.read === 0 ? 0 : this.separator.length;
    const length = before + row + this.terminator.length;
    if (this.filled + length > this.block.length) this.emit();
    if (length > this.block.length) this.block = Buffer.allocUnsafe(length);
    if (before > 0) this.separator.copy(this.block, this.filled);
    // Copied, because the parser reuses its buffer.
    chunk.copy(this.block, this.filled + before, 0, row);
    this.terminator.copy(this.block, this.filled + before + row);
    this.filled += length;
    this.rowsInBlock++;
    this.read++;
  }

  handleError(error: Error): void {
    this.failure = error;
    this.waiting?.reject(error);
    this.waiting = null;
  }

  handleReadyForQuery(): void {
    this.ended = true;
    this.emit();
    this.waiting?.resolve(null);
    this.waiting = null;
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleEmptyQuery(): void {}
}
