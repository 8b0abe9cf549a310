import { expect, test } from "vitest";
import { type Example, exampleOf } from "@/e2e/conformance/examples";
import { type Api, anonymous, newAddress, withKey } from "@/e2e/support/api";
import type { Answer } from "@/e2e/support/http";
import { newMember } from "@/e2e/support/member";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession } from "@/e2e/support/session";
import { isLong } from "@/e2e/support/tier";
import { unlessBusy } from "@/e2e/support/until";
import { endpoints } from "@/lib/api/endpoints";
import type { Flag } from "@/lib/audit-logs/flags";
import { newSecret } from "@/lib/auth/secret";
import { API_PREFIX, type Endpoint } from "@/lib/http/endpoint";
import type { ErrorCode } from "@/lib/http/errors";
import type { Group } from "@/lib/http/groups";
import { NOBODY, newId } from "@/lib/ids";
import type { Plan } from "@/lib/plans";

const server = sharedServer();

/** A refused caller: the expected response, the flags of the event, and whether it is in the organization's log. */
interface Refused {
  api: Api;
  status: number;
  code: ErrorCode;
  flags: Flag[];
  isOurs: boolean;
}

/** An organization, and all kinds of callers who may not act as its admins. */
interface Cast {
  organization: Organization;
  /** Callers whom every endpoint refuses. Refusals do not count against a key, so they can try every endpoint. */
  strangers: Record<string, Refused>;
  /** People without a valid session: a public endpoint answers them like everybody. */
  unknown: Record<string, Refused>;
  /** People whose session may not perform this write. */
  readers: Record<string, Refused>;
  /** A person who now works in another organization. */
  formerMember: Api;
  /** Another organization. */
  other: Organization;
}

const refused = (api: Api, status: number, code: ErrorCode, flag: Flag | Flag[], isOurs: boolean): Refused => ({
  api,
  status,
  code,
  flags: [flag].flat(),
  isOurs,
});

async function newCast(plan: Plan = "enterprise"): Promise<Cast> {
  const [organization, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
  const both = [organization.id, other.id];
  await query(server, "app", "UPDATE organizations SET plan = $2 WHERE id = ANY($1)", [both, plan]);
  const admin = { permission: "admin" } as const;
  const expired = await organization.newKey({ ...admin, expiresAt: new Date(Date.now() - 1000) });
  const revoked = await organization.newKey(admin);
  const rotated = await organization.newKey(admin);
  const elsewhere = await organization.newKey({ ...admin, ip: ["192.0.2.7"] });
  expect((await organization.admin.delete(`/api-keys/${revoked.id}`)).status).toBe(200);
  const oldElsewhere = await organization.newKey({ ...admin, ip: ["192.0.2.7"] });
  const oldExpired = await organization.newKey(admin);
  for (const { id } of [rotated, oldElsewhere, oldExpired])
    expect((await organization.admin.post(`/api-keys/${id}/rotate`)).status).toBe(200);
  await query(server, "app", "UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [
    oldExpired.id,
  ]);
  // Refused attempts are limited by key and by address, so each caller has its own address.
  const away = (secret: string) => withKey(server, secret).with({ "x-forwarded-for": newAddress() });
  const boss = await newMember(server, organization.id, "admin");
  const reader = await newMember(server, organization.id, "read");
  const former = await newMember(server, organization.id, "admin");
  const gone = await newMember(server, organization.id, "admin");
  await former.remove();
  await gone.remove();
  await query(server, "app", "DELETE FROM memberships WHERE user_id = $1", [gone.userId]);
  const madeUp = anonymous(server).with({ authorization: `Bearer ${newSecret()}` });
  const fromAnotherSite = boss.in(organization.id).with({ origin: "https://evil.test" });
  return {
    organization,
    strangers: {
      "a made-up key": refused(madeUp, 401, "INVALID_API_KEY", "invalid_credentials", false),
      "an expired key": refused(away(expired.secret), 401, "API_KEY_EXPIRED", "expired_key", true),
      "a revoked key": refused(away(revoked.secret), 401, "API_KEY_REVOKED", "revoked_key", true),
      "a secret rotated out": refused(away(rotated.secret), 401, "API_KEY_REVOKED", "rotated_secret", true),
      "an old secret away from the whitelist": refused(
        away(oldElsewhere.secret),
        403,
        "IP_NOT_ALLOWED",
        ["ip_not_allowed", "rotated_secret"],
        true,
      ),
      "an old secret of an expired key": refused(
        away(oldExpired.secret),
        401,
        "API_KEY_EXPIRED",
        ["expired_key", "rotated_secret"],
        true,
      ),
      "a key away from its whitelist": refused(away(elsewhere.secret), 403, "IP_NOT_ALLOWED", "ip_not_allowed", true),
    },
    unknown: {
      nobody: refused(anonymous(server), 401, "UNAUTHENTICATED", [], false),
      "a removed member": refused(gone.in(organization.id), 401, "UNAUTHENTICATED", [], false),
    },
    readers: {
      "a read member": refused(reader.in(organization.id), 403, "METHOD_NOT_ALLOWED", "method_not_allowed", true),
      "a session on another site": refused(fromAnotherSite, 403, "CROSS_SITE_REQUEST", "cross_site_request", true),
    },
    formerMember: former.in(organization.id),
    other,
  };
}

/** Endpoints of a group that share a cast: refused attempts with a key are limited to 30 a minute in most groups, two per endpoint. */
const SHARING = 10;
const casts = new Map<string, Promise<Cast>>();

function sharedCast(endpoint: Endpoint): Promise<Cast> {
  const position = endpoints.filter(({ group }) => group === endpoint.group).indexOf(endpoint);
  const name = `${endpoint.group} ${Math.floor(position / SHARING)}`;
  const cast = casts.get(name) ?? newCast();
  casts.set(name, cast);
  return cast;
}

function ask(api: Api, endpoint: Endpoint, { params = {}, query, body, headers = {} }: Example): Promise<Answer> {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
  return api.request(endpoint.method, query ? `${path}?${new URLSearchParams(query)}` : path, body, { headers });
}

/** The response without the parts that differ between requests. */
function comparable({ status, headers, text, requestId }: Answer) {
  const { date, ratelimit, "x-request-id": id, ...further } = headers;
  const { "x-ratelimit-remaining": remaining, "x-ratelimit-reset": reset, ...same } = further;
  return { status, headers: same, text: text.replaceAll(requestId, "") };
}

/** A caller from an unused address; otherwise the limit of requests without a key would apply. */
const fresh = (api: Api) => api.with({ "x-forwarded-for": newAddress() });

const eventOf = ({ requestId }: Answer) => eventById(server, requestId);

async function expectRefusal(cast: Cast, endpoint: Endpoint, who: string, refusal: Refused, examples: Example[]) {
  const answers: Answer[] = [];
  for (const example of examples) {
    const answer = await ask(refusal.isOurs ? refusal.api : fresh(refusal.api), endpoint, example);
    expect([answer.status, answer.error.code], `${who}: ${answer.text}`).toEqual([refusal.status, refusal.code]);
    const challenge = refusal.code === "UNAUTHENTICATED" ? "Bearer" : 'Bearer error="invalid_token"';
    if (refusal.status === 401) expect(answer.header("www-authenticate"), who).toBe(challenge);
    const event = await eventOf(answer);
    expect(event, who).toMatchObject({
      organization_id: refusal.isOurs ? cast.organization.id : NOBODY,
      route: API_PREFIX + endpoint.path,
      action: endpoint.action,
      status_code: refusal.status,
      error_code: refusal.code,
    });
    expect(event.flags, who).toEqual(refusal.flags);
    answers.push(answer);
  }
  const [there, nowhere] = answers.map(comparable);
  if (nowhere !== undefined) expect(there, `${who} learns whether it is there`).toEqual(nowhere);
}

async function expectNothing({ organization }: Cast, endpoint: Endpoint, who: string, api: Api, examples: Example[]) {
  const answers: Answer[] = [];
  for (const example of examples) {
    const answer = await ask(api, endpoint, example);
    expect(answer.status, `${who}: ${answer.text}`).toBeLessThan(500);
    for (const ours of [organization.id, organization.slug, organization.adminKey.id]) {
      expect(answer.text, who).not.toContain(ours);
    }
    expect((await eventOf(answer)).organization_id, who).not.toBe(organization.id);
    answers.push(answer);
  }
  const [there, nowhere] = answers;
  if (there === undefined || nowhere === undefined) return;
  expect([there.status, there.error.code], `${who}: ${there.text}`).toEqual([404, "NOT_FOUND"]);
  expect(comparable(there), `${who} learns whether it is there`).toEqual(comparable(nowhere));
}

/** Groups whose requests change the whole organization, or wait for the worker to process all of it. */
const CHANGES_ALL = new Set<Group>(["organizations", "billing", "alerts"]);
/** In `npm test` each endpoint is tried by one or two of the callers that all endpoints refuse alike, in the long tier by all. */
const SHARE = isLong ? 1 : 5;

test.concurrent.each(
  endpoints.map((endpoint, index) => [`${endpoint.method} ${endpoint.path}`, endpoint, index] as const),
)(
  "%s refuses unauthorized callers, with the same response whether the resource exists, and one event per request",
  async (_, endpoint, index) => {
    const isWrite = endpoint.method !== "GET";
    // A plan that is larger than what is bought is the operator's.
    const plan = endpoint.group === "billing" ? "team" : "enterprise";
    const cast = await (isWrite && CHANGES_ALL.has(endpoint.group) ? newCast(plan) : sharedCast(endpoint));
    const { organization, strangers, unknown, readers, formerMember, other } = cast;
    // Separate keys: the requests of all endpoints together would exceed the limits of one.
    const admin = (await organization.newKey({ permission: "admin" })).api;
    const read = (await organization.newKey()).api;
    const example = await exampleOf(endpoint, { ...organization, admin, read });
    const nowhere = Object.fromEntries(Object.keys(example.params ?? {}).map((name) => [name, newId()]));
    const isThereOrNot = endpoint.path.includes("{") ? [example, { ...example, params: nowhere }] : [example];
    const readKey = refused(read, 403, "METHOD_NOT_ALLOWED", "method_not_allowed", true);
    const alike = Object.entries({ ...strangers, ...(!endpoint.public && unknown) });
    const tried = alike.filter((_, at) => (index + at) % SHARE === 0);
    for (const [who, refusal] of [...tried, ...(isWrite ? [["a read key", readKey] as const] : [])]) {
      await expectRefusal(cast, endpoint, who, refusal, isThereOrNot);
    }
    // The path may name the organization in which a person acts; then a missing one is refused.
    const places = endpoint.ofOrganization ? [example] : isThereOrNot;
    for (const [who, refusal] of Object.entries(isWrite ? readers : {})) {
      await expectRefusal(cast, endpoint, who, refusal, places);
    }

    // The signature in a public request grants access.
    if (!endpoint.public) {
      const { api: foreign } = await other.newKey({ permission: "admin" });
      await expectNothing(cast, endpoint, "another organization's key", foreign, isThereOrNot);
      await expectNothing(cast, endpoint, "a former member, of another organization now", formerMember, isThereOrNot);
    }
    const may = endpoint.person ? (await newSession(server)).api : admin;
    const answer = await unlessBusy(() => ask(may, endpoint, example));
    expect(answer.status, `changed by one of them: ${answer.text}`).toBe(endpoint.status);
  },
);
