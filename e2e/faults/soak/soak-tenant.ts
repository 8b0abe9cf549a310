import { setTimeout as delay } from "node:timers/promises";
import type { Environment } from "@/e2e/faults/environment";
import { Follower } from "@/e2e/faults/follower";
import type { Api } from "@/e2e/support/api";
import { query } from "@/e2e/support/servers/databases";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { newReceiver, type Receiver } from "@/e2e/support/stand-ins/receiver";
import { until } from "@/e2e/support/until";
import { newId } from "@/lib/ids";
import type { Monitor } from "@/lib/uptime/contract";

/** Maximum number of sites that are down at the same time: few, because notifications of a mass failure are held. */
const LANES = 4;
/** Each is down once, because a second outage would reopen its alert. */
const MONITORS = 60;
/** Delay between two requests of a client, and between two checks of a result. */
const PACE_MS = 250;
/** Leases last a minute and a half; work lost with a lease is found after that. */
const TIMEOUT_MS = 240_000;
const MISUSE_MS = 15_000;

/** A request as its client knows it. `status` is null without a response. */
interface SentRequest {
  id: string | null;
  status: number | null;
  path: string;
}

/** An outage, as the site recorded it. */
interface Outage {
  monitorId: string;
  begunAt: number;
  endedAt: number | null;
}

/** A tenant of the soak, with the outside world's records: requests of its clients, outages of its sites, messages to its receiver. */
export class SoakTenant {
  readonly requests: SentRequest[] = [];
  readonly outages: Outage[] = [];
  /** The names of requested keys, and the ids of returned ones. */
  readonly keys = { asked: new Set<string>(), made: new Set<string>() };
  /** The ids of keys that were used from a forbidden address. */
  readonly misused: string[] = [];
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly environment: Environment,
    readonly person: SignedIn,
    readonly receiver: Receiver,
    readonly follower: Follower,
  ) {}

  static async start(environment: Environment): Promise<SoakTenant> {
    const { server, site } = environment;
    const person = await newSession(server);
    await server.cli("org", "set-plan", "--org", person.organizationId, "--plan", "business");
    const receiver = await newReceiver();
    const hook = { type: "webhook", name: "Hook", settings: { url: receiver.url } };
    await person.api.post("/notification-channels", hook);
    const monitors = await Promise.all(
      Array.from({ length: MONITORS }, async () => {
        const path = `/soak/${newId()}`;
        const input = { name: path, type: "http", target: `${site.url}${path}`, interval_seconds: 30 };
        const { data } = await person.api.post<Monitor>("/uptime", {
          ...input,
          failure_threshold: 1,
          recovery_threshold: 1,
        });
        return { id: data.id, path };
      }),
    );
    const follower = await Follower.start(server.url, { cookie: person.cookie });
    const tenant = new SoakTenant(environment, person, receiver, follower);
    await until("its rules were evaluated", async () => {
      const text = "SELECT FROM alert_evaluations WHERE organization_id = $1 AND events_place IS NOT NULL";
      return (await query(server, "app", text, [person.organizationId])).length > 0;
    });
    tenant.running = Promise.all([
      tenant.sendRequests(),
      tenant.misuseKeys(),
      ...Array.from({ length: LANES }, (_, lane) => tenant.haveOutages(monitors.filter((_, n) => n % LANES === lane))),
    ]);
    tenant.running.catch(() => {});
    return tenant;
  }

  get id(): string {
    return this.person.organizationId;
  }

  /** Ends its clients, and lets every outage end. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  destroy(): void {
    this.follower.stop();
    this.receiver.close();
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => {});
  }

  private async send<Data>(path: string, ask: (api: Api) => ReturnType<Api["get"]>): Promise<Data | null> {
    try {
      const answer = await ask(this.person.api);
      this.requests.push({ id: answer.requestId, status: answer.status, path });
      return answer.status < 300 ? (answer.data as Data) : null;
    } catch {
      this.requests.push({ id: null, status: null, path });
      return null;
    }
  }

  /** Reads, and sometimes creates a key and revokes it. */
  private async sendRequests(): Promise<void> {
    for (let n = 0; !this.stopping.signal.aborted; n++) {
      await this.send("/certificates", (api) => api.get("/certificates?limit=1"));
      if (n % 4 === 0) {
        const name = `Soak ${n}`;
        this.keys.asked.add(name);
        const made = await this.send<{ id: string }>("/api-keys", (api) => api.post("/api-keys", { name }));
        if (made !== null) {
          this.keys.made.add(made.id);
          await this.send(`/api-keys/${made.id}`, (api) => api.delete(`/api-keys/${made.id}`));
        }
      }
      await this.pause(PACE_MS);
    }
  }

  /** Uses keys from an address that they do not allow, each once. */
  private async misuseKeys(): Promise<void> {
    for (let n = 0; !this.stopping.signal.aborted; n++) {
      const name = `Misused ${n}`;
      this.keys.asked.add(name);
      const body = { name, ip_whitelist: ["192.0.2.1"] };
      const made = await this.send<{ id: string; secret: string }>("/api-keys", (api) => api.post("/api-keys", body));
      if (made !== null) {
        this.keys.made.add(made.id);
        const stranger = { cookie: "", authorization: `Bearer ${made.secret}` };
        const before = this.requests.length;
        await this.send("/certificates", (api) => api.with(stranger).get("/certificates"));
        if (this.requests.slice(before).some(({ status }) => status === 403)) this.misused.push(made.id);
        await this.send(`/api-keys/${made.id}`, (api) => api.delete(`/api-keys/${made.id}`));
      }
      await this.pause(MISUSE_MS);
    }
  }

  /** Takes one site after the other down until Sealwatch notices, and brings it back until Sealwatch notices. */
  private async haveOutages(monitors: readonly { id: string; path: string }[]): Promise<void> {
    const { site } = this.environment;
    for (const { id, path } of monitors) {
      await this.statusIs(id, "up");
      if (this.stopping.signal.aborted) return;
      const outage: Outage = { monitorId: id, begunAt: Date.now(), endedAt: null };
      site.down.add(path);
      this.outages.push(outage);
      await this.statusIs(id, "down");
      site.down.delete(path);
      outage.endedAt = Date.now();
      await this.statusIs(id, "up");
    }
  }

  private async statusIs(id: string, status: string): Promise<void> {
    const text = "SELECT FROM uptime_monitors WHERE organization_id = $1 AND id = $2 AND status = $3";
    const { server } = this.environment;
    const is = async () => (await query(server, "app", text, [this.id, id, status])).length > 0;
    await until(`monitor ${id} is ${status}`, is, TIMEOUT_MS);
  }
}
