/** Where the rows of a file come from. */
export interface RowSource {
  /** Rows in the blocks that were handed out. */
  readonly rows: number;
  /** The next block of whole rows, or null after the last. */
  next(): Promise<Buffer | null>;
  /** Gives back what it holds. `complete` is false where somebody stopped in the middle. */
  end(complete: boolean): Promise<void>;
}
