import { setTimeout as delay } from "node:timers/promises";
import type { Answer } from "@/e2e/support/http";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";

const CALLERS = 8;
/** A caller's usual milliseconds between two requests: without them, the load takes both processors until its test ends. */
const PAUSE_MS = 30;
/** Fewer than the plan allows. Keys whose creation got no response count too. */
const MAX_KEYS = 60;

interface Created {
  id: string;
}

/** One request of the load. `answer` is null when the connection broke before it came, and `failure` then says how. */
export interface Call {
  caller: SignedIn;
  /** By `performance.now()`. */
  begunAt: number;
  answer: Answer | null;
  failure: string | null;
  /** The name of the key it wants to create. */
  name: string | null;
}

/**
 * Signed-in people without rate limits, each in their own organization and with one request at a time: creates a key,
 * rotates it, lists, sends malformed JSON, and so on. A caller whose connection breaks waits until the server answers again.
 */
export class Load {
  readonly calls: Call[] = [];
  readonly callers: SignedIn[];
  private stopped = false;
  private readonly running: Promise<unknown>;

  private constructor(
    private readonly server: Sealwatch,
    callers: SignedIn[],
    private readonly pauseMs: number,
  ) {
    this.callers = callers;
    this.running = Promise.all(callers.map((caller) => this.work(caller)));
    // Checked when the load is stopped.
    this.running.catch(() => {});
  }

  /** Without a pause, some request is under way at any time. */
  static async start(server: Sealwatch, pauseMs = PAUSE_MS): Promise<Load> {
    return new Load(server, await Promise.all(Array.from({ length: CALLERS }, () => newSession(server))), pauseMs);
  }

  /** One of the callers. */
  get someone(): SignedIn {
    const [first] = this.callers;
    if (first === undefined) throw new Error("nobody calls");
    return first;
  }

  /** Waits until this many more requests were answered. */
  async answered(more: number): Promise<void> {
    const before = this.calls.length;
    const count = () => this.calls.slice(before).filter(({ answer }) => answer !== null).length;
    await until(`${more} more answers`, () => count() >= more);
  }

  /** Lets every caller finish its request. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async work(caller: SignedIn): Promise<void> {
    const ids: string[] = [];
    for (let n = 0; !this.stopped; n++) {
      const name = `Load ${n}`;
      if (ids.length < MAX_KEYS) {
        const created = await this.call(caller, () => caller.api.post<Created>("/api-keys", { name }), name);
        if (created?.status === 201) ids.push((created as Answer<Created>).data.id);
      }
      const id = ids.length < MAX_KEYS ? ids.at(-1) : ids[n % MAX_KEYS];
      if (id !== undefined) await this.call(caller, () => caller.api.post(`/api-keys/${id}/rotate`));
      await this.call(caller, () => caller.api.get("/api-keys?limit=1"));
      await this.call(caller, () => caller.api.post("/api-keys", `not JSON ${n}`));
    }
  }

  private async call(caller: SignedIn, ask: () => Promise<Answer>, name: string | null = null): Promise<Answer | null> {
    const call: Call = { caller, begunAt: performance.now(), answer: null, failure: null, name };
    try {
      call.answer = await ask();
    } catch (error) {
      call.failure = String(error);
      await until("the server answers", async () => (await fetch(`${this.server.url}/healthz`)).ok);
    }
    this.calls.push(call);
    if (this.pauseMs > 0) await delay(this.pauseMs);
    return call.answer;
  }
}

interface LoggedRequest {
  id: string;
  organization_id: string;
  status_code: number | null;
  resource_id: string | null;
  flags: string[];
}

/** Every event of a request of the load's organizations, in order of occurrence. */
export async function loggedRequests(server: Sealwatch, load: Load): Promise<LoggedRequest[]> {
  const organizations = load.callers.map(({ organizationId }) => organizationId);
  const text = `SELECT id, organization_id, status_code, resource_id, flags FROM audit_events
    WHERE organization_id = ANY($1::uuid[]) AND method IS NOT NULL ORDER BY id`;
  return query<LoggedRequest>(server, "audit", text, [organizations]);
}

/** Every key that the load's requests created, and how often each was rotated. */
export async function keysMade(server: Sealwatch, load: Load) {
  const organizations = load.callers.map(({ organizationId }) => organizationId);
  return query<{ id: string; organization_id: string; name: string; rotations: number }>(
    server,
    "app",
    `SELECT k.id, k.organization_id, k.name, count(s.hash)::integer - 1 AS rotations
     FROM api_keys k JOIN api_key_secrets s ON s.organization_id = k.organization_id AND s.api_key_id = k.id
     WHERE k.organization_id = ANY($1::uuid[]) GROUP BY k.id, k.organization_id, k.name`,
    [organizations],
  );
}
