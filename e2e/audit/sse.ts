import { type Opened, open } from "@/e2e/audit/open";
import { until } from "@/e2e/support/until";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { AuditStats } from "@/lib/audit-logs/count/stats-contract";

const POLL_MS = 25;

/** A connection to the stream, and its received events. */
export class Stream {
  readonly events: AuditEvent[] = [];
  readonly stats: AuditStats[] = [];
  /** Ids that came without an event. */
  readonly places: string[] = [];
  /** The `Last-Event-ID` of a client that reconnects. */
  lastId: string | undefined;
  /** The server's `retry:` hint in milliseconds, if it sent one. */
  retry: number | undefined;
  private readonly decoder = new TextDecoder();
  private rest = "";
  private spoke = false;
  private spokeAt = performance.now();

  private constructor(private readonly opened: Opened) {}

  /** Returns when the server has sent something, if only a comment, or has ended the stream. */
  static async open(url: string, headers: Record<string, string>, query: Record<string, string> = {}): Promise<Stream> {
    const stream = new Stream(await open(url, `/audit-logs/stream?${new URLSearchParams(query)}`, headers));
    stream.lastId = headers["last-event-id"];
    if (stream.opened.status === 200) {
      await stream.until("it speaks or ends", () => stream.spoke || stream.opened.ended());
    }
    return stream;
  }

  get status(): number {
    return this.opened.status;
  }

  get requestId(): string {
    return this.opened.requestId;
  }

  get ids(): string[] {
    return this.events.map(({ id }) => id);
  }

  /** Reads until `condition` holds. */
  async until(what: string, condition: () => boolean, deadlineMs?: number): Promise<void> {
    const read = async () => {
      while (this.take()) {
        if (condition()) return true;
        await this.opened.more(POLL_MS);
      }
      return condition();
    };
    await until(what, read, deadlineMs);
  }

  /** Reads until the server ends it. */
  async end(deadlineMs?: number): Promise<void> {
    await this.until("the stream ends", () => this.opened.ended(), deadlineMs);
  }

  /** Reads nothing until the server can send no more. */
  async block(): Promise<void> {
    await until("the server has to wait", () => this.opened.unsent() > 100_000);
  }

  /** The state of the connection, for error messages. */
  get state(): string {
    const [first, last] = [this.ids[0], this.ids.at(-1)];
    const silent = Math.round((performance.now() - this.spokeAt) / 1000);
    return `${this.status}, ${this.ids.length} events from ${first} to ${last}, ${this.opened.ended() ? "ended" : "open"}, silent for ${silent} s`;
  }

  leave(): void {
    this.opened.leave();
  }

  /** Whether anything was received. */
  private take(): boolean {
    const came = this.opened.take();
    const messages = (this.rest + this.decoder.decode(came ?? undefined, { stream: true })).split("\n\n");
    this.rest = messages.pop() ?? "";
    for (const message of messages) this.parse(message);
    this.spoke ||= messages.length > 0;
    if (messages.length > 0) this.spokeAt = performance.now();
    return came !== null;
  }

  /** Parses strictly by the specification. */
  private parse(message: string): void {
    if (/^: .*$/.test(message)) return;
    const [, retry] = /^retry: (\d+)$/.exec(message) ?? [];
    if (retry !== undefined) {
      this.retry = Number(retry);
      return;
    }
    const [, position] = /^id: (\S+)$/.exec(message) ?? [];
    if (position !== undefined) {
      this.lastId = position;
      this.places.push(position);
      return;
    }
    const [, figures] = /^event: audit_stats\ndata: (.*)$/.exec(message) ?? [];
    if (figures !== undefined) {
      this.stats.push(JSON.parse(figures) as AuditStats);
      return;
    }
    const [, id, data = ""] = /^id: (\S+)\nevent: audit_event\ndata: (.*)$/.exec(message) ?? [];
    const event = JSON.parse(data) as AuditEvent;
    const { epoch, index } = event.seal ?? {};
    if (event.id !== id && `${epoch}-${index}` !== id) throw new Error(`the message of ${event.id} has the id ${id}`);
    this.events.push(event);
    this.lastId = id;
  }
}
