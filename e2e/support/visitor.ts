import { randomUUID } from "node:crypto";
import { Api, newAddress } from "@/e2e/support/api";
import { type Answer, send } from "@/e2e/support/http";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";

/** A browser without rendering: it keeps cookies and follows redirects of a sign-in. Each has its own user agent. */
export class Visitor {
  readonly userAgent = `Visitor ${randomUUID()}`;
  /** The client address for servers that trust our `X-Forwarded-For`: sign-in routes are limited by address. */
  readonly address = newAddress();
  readonly cookies = new Map<string, string>();
  /** The received `Set-Cookie` lines. */
  readonly setCookies: string[] = [];

  constructor(
    private readonly server: Sealwatch,
    /** The server's PUBLIC_URL. */
    readonly origin: string,
  ) {}

  private get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** The API with this browser's current cookies. */
  get api(): Api {
    return new Api(this.server.url, { cookie: this.cookie, origin: this.origin, "user-agent": this.userAgent });
  }

  async request(method: string, target: string, body?: string, headers: Record<string, string> = {}): Promise<Answer> {
    const own = {
      cookie: this.cookie,
      origin: this.origin,
      "user-agent": this.userAgent,
      "x-forwarded-for": this.address,
    };
    const type = body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
    const all = { ...own, ...type, ...headers };
    const answer = await send(this.server.url, { method, target, headers: all, ...(body !== undefined && { body }) });
    for (const line of answer.headers["set-cookie"] ?? []) {
      this.setCookies.push(line);
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  /** Starts a sign-in and returns the address of the identity provider. */
  async start(callbackUrl = "/"): Promise<string> {
    const { csrfToken } = (await this.request("GET", "/api/auth/csrf")).json as { csrfToken: string };
    const form = new URLSearchParams({ csrfToken, callbackUrl, json: "true" });
    const answer = await this.request("POST", "/api/auth/signin/oidc", form.toString());
    return (answer.json as { url: string }).url;
  }

  /** Signs in at the identity provider. Returns the path and query that it redirects to. */
  async consent(url: string): Promise<string> {
    const answer = await fetch(url, { redirect: "manual" });
    const back = new URL(answer.headers.get("location") ?? "");
    return back.pathname + back.search;
  }

  /** Signs in completely. Returns the final address without our own origin. */
  async signIn(callbackUrl?: string): Promise<string> {
    const back = await this.consent(await this.start(callbackUrl));
    return this.arrive(back);
  }

  /** Follows the redirect from the identity provider. */
  async arrive(back: string): Promise<string> {
    const location = (await this.request("GET", back)).header("location");
    return location.startsWith(`${this.origin}/`) ? location.slice(this.origin.length) : location;
  }
}
