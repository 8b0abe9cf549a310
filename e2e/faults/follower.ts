import { setTimeout as delay } from "node:timers/promises";
import { Stream } from "@/e2e/audit/sse";

/** Much shorter than a browser's delay, so that tests do not wait for it. */
const RECONNECT_MS = 200;
const FOR_GOOD_MS = 2 ** 30;

/** Follows the event stream like an EventSource: whenever it ends, it reconnects with the id of its last event. */
export class Follower {
  private readonly streams: Stream[] = [];
  private readonly refusals: string[] = [];
  private stopped = false;

  private constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>,
  ) {}

  /** Returns once it is connected: it receives all events from then on. */
  static async start(url: string, headers: Record<string, string>): Promise<Follower> {
    const follower = new Follower(url, headers);
    const first = await follower.connect();
    if (first === null) throw new Error("the stream could not be opened");
    void follower.follow(first);
    return follower;
  }

  /** The ids of all received events, in order. */
  get ids(): string[] {
    return this.streams.flatMap(({ ids }) => ids);
  }

  /** How its latest connections ended, to find the reason for missing events. */
  get state(): string[] {
    return [...this.streams.slice(-10).map(({ state }) => state), ...this.refusals.slice(-5)];
  }

  stop(): void {
    this.stopped = true;
    for (const stream of this.streams) stream.leave();
  }

  private async connect(): Promise<Stream | null> {
    const last = this.streams.at(-1)?.lastId;
    const headers = { ...this.headers, ...(last && { "last-event-id": last }) };
    const stream = await Stream.open(this.url, headers).catch((error: Error) => error);
    if (stream instanceof Error || stream.status !== 200) {
      this.refusals.push(`${new Date().toISOString()} ${stream instanceof Error ? stream.message : stream.status}`);
      return null;
    }
    this.streams.push(stream);
    return stream;
  }

  private async follow(first: Stream): Promise<void> {
    for (let stream: Stream | null = first; !this.stopped; stream = await this.connect()) {
      await stream?.end(FOR_GOOD_MS).catch(() => {});
      await delay(RECONNECT_MS);
    }
  }
}
