import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { encode } from "next-auth/jwt";
import type pg from "pg";
import { until } from "@/e2e/support/until";
import { cookieName } from "@/lib/auth/session-cookie";
import { newId } from "@/lib/ids";

const CALLERS = 6;
/** A caller's milliseconds between two requests: without them, callers would take the processors from what is upgraded. */
const PAUSE_MS = 100;
/** Of each kind, for each caller. */
const MAX_CREATED = 15;

/** Lists whose rows both releases write. */
const READ = [
  ...[
    "/api-keys",
    "/audit-logs",
    "/audit-logs/stats",
    "/audit-logs/security-events",
    "/audit-logs/security-events/groups",
  ],
  ...["/certificates", "/certificates/endpoints?limit=50", "/certificates/findings"],
  ...["/uptime", "/uptime/incidents", "/notification-channels", "/alert-rules", "/alerts", "/subdomains/domains"],
  ...["/analytics/overview", "/analytics/uptime", "/audit-logs/views", "/billing", "/openapi.json"],
];

/** What callers create, by the path, with the fields that both releases have. */
const CREATED: readonly [path: string, body: (name: string) => object][] = [
  ["/api-keys", (name) => ({ name })],
  ["/uptime", (name) => ({ name, type: "tcp", target: "127.0.0.1:1", interval_seconds: 3600 })],
  ["/certificates/endpoints", (name) => ({ host: "127.0.0.1", port: 1, sni: `${name}.example.test` })],
  ["/notification-channels", (name) => ({ type: "webhook", name, settings: { url: "https://127.0.0.1:1/" } })],
  ["/audit-logs/views", (name) => ({ name, scope: "organization", query: { status: "4xx" } })],
  ["/certificates/calendars", (name) => ({ name })],
  [
    "/alert-rules",
    (name) => ({ name, condition: { type: "time_left" }, steps: [{ share_left: 1, severity: "info" }] }),
  ],
];

interface Person {
  organizationId: string;
  cookie: string;
}

/** One request that was answered. */
export interface Answered {
  organizationId: string;
  url: string;
  request: string;
  status: number;
  id: string | null;
  text: string;
}

/** People without rate limits, each in their own organization, whose requests go to every process in turn, as behind a proxy. */
export class Callers {
  readonly answers: Answered[] = [];
  /** Requests without an answer: refused or broken connections. */
  readonly broken: string[] = [];
  private urls: string[] = [];
  private readonly inFlight = new Map<string, number>();
  private isStopped = false;
  private running: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly people: readonly Person[],
    private readonly publicUrl: string,
  ) {}

  /** People as both releases know them. */
  static async create(app: pg.Client, secret: string, publicUrl: string): Promise<Callers> {
    const people: Person[] = [];
    for (let n = 0; n < CALLERS; n++) {
      const [organizationId, userId, sessionId] = [newId(), newId(), newId()];
      const name = `caller-${randomUUID()}`;
      // On a plan that has room for all that a caller creates.
      await app.query(
        "INSERT INTO organizations (id, name, slug, plan, created_at) VALUES ($1, $2, $2, 'business', now())",
        [organizationId, name],
      );
      await app.query(
        "INSERT INTO users (id, issuer, subject, email, name, created_at) VALUES ($1, 'https://id.test', $2, $3, $2, now())",
        [userId, name, `${name}@example.test`],
      );
      await app.query(
        "INSERT INTO memberships (organization_id, user_id, permission, created_at) VALUES ($1, $2, 'admin', now())",
        [organizationId, userId],
      );
      await app.query(
        "INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES ($1, $2, now(), now() + interval '1 hour')",
        [sessionId, userId],
      );
      people.push({
        organizationId,
        cookie: `${cookieName("session")}=${await encode({ token: { sessionId }, secret })}`,
      });
    }
    return new Callers(people, publicUrl);
  }

  /** Sends requests to this process too, from now on. */
  add(url: string): void {
    this.urls.push(url);
  }

  /** Sends no more requests to this process, and waits for the answers, as a proxy does. */
  async remove(url: string): Promise<void> {
    this.urls = this.urls.filter((each) => each !== url);
    await until(`the requests to ${url} are answered`, () => (this.inFlight.get(url) ?? 0) === 0);
  }

  begin(): void {
    this.running = Promise.all(this.people.map((person) => this.work(person)));
    // Checked when they end.
    this.running.catch(() => {});
  }

  async end(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  /** Waits until each process that gets requests has answered this many more, or one failed. */
  async answered(more: number): Promise<void> {
    const from = this.answers.length;
    await until(`${more} more answers of each process`, () => {
      const since = this.answers.slice(from);
      return this.urls.every((url) => since.filter((answer) => answer.url === url).length >= more);
    });
  }

  private async work(person: Person): Promise<void> {
    for (let n = 0; !this.isStopped; n++) {
      const [path, body] = CREATED[n % CREATED.length] ?? ["/api-keys", () => ({})];
      const round = Math.floor(n / CREATED.length);
      if (round < MAX_CREATED) {
        const made = await this.call(person, n, "POST", path, JSON.stringify(body(`n${n}-${randomUUID()}`)));
        if (made?.status === 201) await this.readElsewhere(person, n + 1, path, made.text);
      }
      await this.call(person, n, "GET", READ[n % READ.length] ?? "/api-keys");
      await this.call(person, n + 1, "POST", "/api-keys", `not JSON ${n}`);
    }
  }

  /** The other process reads and changes what this one wrote. */
  private async readElsewhere(person: Person, turn: number, path: string, text: string): Promise<void> {
    const { id, secret } = (JSON.parse(text) as { data: { id: string; secret?: string } }).data;
    if (path !== "/certificates/calendars") await this.call(person, turn, "GET", `${path}/${id}`);
    if (path !== "/api-keys") return;
    await this.call(person, turn, "GET", "/api-keys", undefined, { authorization: `Bearer ${secret}` });
    await this.call(person, turn, "POST", `/api-keys/${id}/rotate`);
  }

  private async call(
    person: Person,
    turn: number,
    method: string,
    path: string,
    body?: string,
    credential: Record<string, string> = { cookie: person.cookie, origin: this.publicUrl },
  ) {
    const url = this.urls[turn % this.urls.length];
    if (url === undefined) throw new Error("no process gets requests");
    this.inFlight.set(url, (this.inFlight.get(url) ?? 0) + 1);
    const request = `${method} ${path}`;
    try {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { ...credential, "content-type": "application/json" },
        ...(body !== undefined && { body }),
      });
      const text = await answer.text();
      const { organizationId } = person;
      const made = {
        organizationId,
        url,
        request,
        status: answer.status,
        id: answer.headers.get("x-request-id"),
        text,
      };
      this.answers.push(made);
      return made;
    } catch (error) {
      this.broken.push(`${request} at ${url}: ${(error as Error).cause ?? error}`);
      return null;
    } finally {
      this.inFlight.set(url, (this.inFlight.get(url) ?? 0) - 1);
      await delay(PAUSE_MS);
    }
  }
}
