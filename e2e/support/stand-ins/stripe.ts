import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { requestText } from "@/e2e/support/stand-ins/request-text";
import { newId } from "@/lib/ids";

export const STRIPE_SETTINGS = {
  STRIPE_SECRET_KEY: "sk_test_local",
  STRIPE_WEBHOOK_SECRET: "whsec_local",
  STRIPE_PRICES: "team=price_team,business=price_business",
};

/** The fields of a subscription that tests set; the others are like those of Stripe's API. */
export interface Held {
  organizationId: string;
  customer: string;
  status: string;
  price: string;
  cancelAtPeriodEnd?: boolean;
  /** Unix seconds. With flexible billing, the portal sets it instead. */
  cancelAt?: number;
}

/** The failure of the next request of a step for an organization. */
export interface Fault {
  step: "open" | "look" | "expire" | "read";
  kind: "broken" | "cut" | "hanging";
}

/** Whether the customer in a request's parameters was deleted at Stripe. */
const isDeleted = (customer: string | null) => customer?.startsWith("cus_deleted") === true;

/** A checkout session, with the fields that billing reads. */
export interface Session {
  id: string;
  url: string | null;
  organizationId: string;
  parameters: string;
  status: "open" | "complete" | "expired";
  subscription: string | null;
}

/** 2031-01-01T00:00:00Z. */
export const PERIOD_END = 1_924_992_000;

/**
 * The part of Stripe's API that billing uses: bearer key, form encoding, an idempotency key for every purchase (docs.stripe.com/api).
 * It does not know customers whose ids begin with `cus_deleted`. For tests, `PUT /held/{id}` sets a subscription. For an organization, `PUT /faults/{id}` sets the next failure, `GET /sessions/{id}`
 * lists its checkout sessions, and `PUT /sessions/{id}` pays the open ones with the subscription of that id.
 */
export async function startStripe(): Promise<{ url: string; close: () => void }> {
  const held = new Map<string, Held>();
  const sessions = new Map<string, Session>();
  const faults = new Map<string, Fault[]>();
  const opening = new Set<string>();
  /** Whether the next fault of the organization at this step replaced the response. */
  async function fail(organizationId: string, step: Fault["step"], response: ServerResponse): Promise<boolean> {
    const mine = faults.get(organizationId) ?? [];
    const next = mine.findIndex((fault) => fault.step === step);
    const [fault] = next < 0 ? [] : mine.splice(next, 1);
    if (fault?.kind === "broken") response.writeHead(500).end("{}");
    if (fault?.kind === "cut") response.destroy();
    // A hanging request is never answered.
    return fault !== undefined;
  }
  const server = createServer(async (request, response) => {
    const { method, url = "", headers } = request;
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    const refuse = (status: number, code: string, param?: string) =>
      answer(status, { error: { type: "invalid_request_error", code, message: code, param } });
    const text = await requestText(request);
    const [, kind, id = ""] = /^\/(held|v1\/subscriptions)\/(\w+)$/.exec(url) ?? [];
    if (method === "PUT" && kind === "held") {
      held.set(id, JSON.parse(text));
      return answer(200, {});
    }
    const [, organization = ""] = /^\/(?:faults|sessions)\/([\w-]+)$/.exec(url) ?? [];
    if (method === "PUT" && url.startsWith("/faults/")) {
      faults.set(organization, JSON.parse(text));
      return answer(200, {});
    }
    if (method === "GET" && url.startsWith("/faults/")) return answer(200, faults.get(organization) ?? []);
    const own = [...sessions.values()].filter((session) => session.organizationId === organization);
    if (method === "GET" && url.startsWith("/sessions/")) return answer(200, own);
    if (method === "PUT" && url.startsWith("/sessions/")) {
      for (const session of own) {
        if (session.status === "open") Object.assign(session, { status: "complete", subscription: text, url: null });
      }
      return answer(200, {});
    }
    if (headers.authorization !== `Bearer ${STRIPE_SETTINGS.STRIPE_SECRET_KEY}`) return refuse(401, "api_key_invalid");
    if (method === "GET" && kind === "v1/subscriptions") {
      const found = held.get(id);
      if (found !== undefined && (await fail(found.organizationId, "read", response))) return;
      return found === undefined ? refuse(404, "resource_missing") : answer(200, subscription(id, found));
    }
    if (headers["content-type"] !== "application/x-www-form-urlencoded") return refuse(400, "encoding");
    const form = new URLSearchParams(text);
    const has = (name: string, value: RegExp) => value.test(form.get(name) ?? "");
    if (method === "POST" && url === "/v1/checkout/sessions") {
      const key = String(headers["idempotency-key"] ?? "");
      const complete =
        key !== "" &&
        has("mode", /^subscription$/) &&
        has("line_items[0][price]", /^price_/) &&
        has("line_items[0][quantity]", /^1$/) &&
        has("success_url", /^https?:/) &&
        has("cancel_url", /^https?:/) &&
        has("client_reference_id", /^[0-9a-f-]{36}$/) &&
        form.get("client_reference_id") === form.get("subscription_data[metadata][organization_id]");
      if (!complete) return refuse(400, "parameter_missing");
      if (isDeleted(form.get("customer"))) return refuse(400, "resource_missing", "customer");
      const organizationId = form.get("client_reference_id") ?? "";
      const parameters = form.toString();
      const known = sessions.get(key);
      // Like Stripe's idempotent requests (docs.stripe.com/api/idempotent_requests).
      if (known !== undefined && known.parameters !== parameters) return refuse(400, "idempotency_error");
      if (opening.has(key)) return refuse(409, "idempotency_key_in_use");
      opening.add(key);
      const fault = await fail(organizationId, "open", response);
      opening.delete(key);
      if (fault) return;
      const id = `cs_${newId().replaceAll("-", "")}`;
      const page = `https://checkout.stripe.test/${form.get("line_items[0][price]")}/${id}`;
      const session = known ?? { id, url: page, organizationId, parameters, status: "open", subscription: null };
      sessions.set(key, session);
      return answer(200, { ...session, object: "checkout.session" });
    }
    const [, sessionId, act] = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(url) ?? [];
    if (sessionId !== undefined) {
      const session = [...sessions.values()].find((each) => each.id === sessionId);
      if (session === undefined) return refuse(404, "resource_missing");
      if (await fail(session.organizationId, act === undefined ? "look" : "expire", response)) return;
      if (act !== undefined && session.status !== "open") return refuse(400, "session_not_open");
      if (act !== undefined) Object.assign(session, { status: "expired", url: null });
      return answer(200, { ...session, object: "checkout.session" });
    }
    if (method === "POST" && url === "/v1/billing_portal/sessions") {
      if (!(has("customer", /^cus_/) && has("return_url", /^https?:/))) return refuse(400, "parameter_missing");
      if (isDeleted(form.get("customer"))) return refuse(400, "resource_missing", "customer");
      const page = `https://billing.stripe.test/${form.get("customer")}`;
      return answer(200, { id: "bps_test", object: "billing_portal.session", url: page });
    }
    return refuse(404, "unknown_route");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function subscription(id: string, held: Held) {
  const { organizationId, customer, status, price, cancelAtPeriodEnd = false, cancelAt = null } = held;
  const item = { id: "si_1", object: "subscription_item", price: { id: price }, current_period_end: PERIOD_END };
  return {
    id,
    object: "subscription",
    customer,
    status,
    cancel_at_period_end: cancelAtPeriodEnd,
    cancel_at: cancelAt,
    metadata: { organization_id: organizationId },
    items: { object: "list", data: [item] },
  };
}

/** A webhook event as Stripe sends it, and its signature header from Stripe's own library. */
export function signedNotice(
  type: string,
  object: unknown,
  { id = `evt_${newId()}`, secret = STRIPE_SETTINGS.STRIPE_WEBHOOK_SECRET } = {},
) {
  const body = JSON.stringify({ id, object: "event", type, data: { object } });
  const signature = new Stripe("sk_unused").webhooks.generateTestHeaderString({ payload: body, secret });
  return { body, headers: { "stripe-signature": signature } };
}
