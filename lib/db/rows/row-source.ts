/** A source of rows for a file. */
export interface RowSource {
  /** Rows in the blocks returned so far. */
  readonly rows: number;
  /** The next block of whole rows, or null after the last. */
  next(): Promise<Buffer | null>;
  /** Releases its resources. `complete` is false if reading stopped early. */
  end(complete: boolean): Promise<void>;
}
