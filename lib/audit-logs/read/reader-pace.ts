/** The minimum throughput: 64 KiB/s. */
const MIN_BYTES_PER_MS = 65.536;

/** How far a reader is behind the minimum throughput. Only the time in which we wait for the reader counts. */
export class ReaderPace {
  private behind = 0;
  private offer: { at: number; bytes: number } | null = null;

  /** Begins to wait for the reader, who was given a block of so many bytes. */
  wait(bytes: number): void {
    this.offer = { at: performance.now(), bytes };
  }

  /** The reader asks for the next block. */
  resume(): void {
    this.behind = this.behindMs();
    this.offer = null;
  }

  /** Milliseconds for which we waited longer than the minimum throughput allows. Fast reading makes up for it, but not in advance. */
  behindMs(): number {
    if (this.offer === null) return this.behind;
    const { at, bytes } = this.offer;
    return Math.max(0, this.behind + performance.now() - at - bytes / MIN_BYTES_PER_MS);
  }
}
