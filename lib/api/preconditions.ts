import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { takesIfMatch } from "@/lib/api/possible-errors";
import { type VersionedResource, versionedResource } from "@/lib/api/versions";
import type { AuditEventDraft, ChangeStep } from "@/lib/audit-logs/audit-event-draft";
import { requireSetting } from "@/lib/config";
import { pool, queryIn, type Transaction } from "@/lib/db/app";
import type { Endpoint } from "@/lib/http/endpoint";
import { ApiError, invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** `*`, or entity tags separated by commas (RFC 9110, section 13.1.1). */
const IF_MATCH = /^(?:\*|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[ \t]*,[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*)$/;

/** The tags in an `If-Match`; null for `*`, which matches any version. Throws 400. */
export function parseIfMatch(value: string): readonly string[] | null {
  const trimmed = value.trim();
  if (!IF_MATCH.test(trimmed))
    throw invalid("If-Match", 'must be * or entity tags such as "x9Zk", separated by commas');
  return trimmed === "*" ? null : (trimmed.match(/(?:W\/)?"[^"]*"/g) ?? []);
}

/**
 * The ETag of a resource's current version; null if the resource does not exist. It is keyed, so that it reveals nothing about the
 * secrets it depends on. Outside of a transaction if `tx` is null. With `lock`, the row is locked until the transaction ends.
 */
async function readEntityTag(
  tx: Transaction | null,
  { table, columns, where, owner }: VersionedResource,
  { organizationId, actor }: Principal,
  id: string,
  lock = false,
): Promise<string | null> {
  const visible = owner === undefined ? "" : ` AND ${owner} IN ($1::uuid, $3::uuid)`;
  // Not FOR UPDATE: other transactions may insert rows that refer to this one while we hold the lock.
  const sql = `SELECT ${columns.join(", ")} FROM ${table}
    WHERE ${where ?? "organization_id = $1::uuid AND id = $2::uuid"}${visible}${lock ? " FOR NO KEY UPDATE" : ""}`;
  const caller = actor.type === "system" ? organizationId : actor.id;
  const values = [organizationId, id, ...(owner === undefined ? [] : [caller])];
  const [row] = tx === null ? (await pool().query(sql, values)).rows : await queryIn(tx, { text: sql, values });
  if (row === undefined) return null;
  const hash = createHmac("sha256", requireSetting("SESSION_SECRET")).update(`${table} ${id} ${JSON.stringify(row)}`);
  return `"${hash.digest("base64url").slice(0, 27)}"`;
}

/**
 * Enforces the `If-Match` of a request within the transaction of its change: of two requests that name the same version, one succeeds.
 * Afterwards `entityTag` is the tag of the new version.
 */
class Precondition implements ChangeStep {
  entityTag: string | null = null;
  private hasRun = false;

  constructor(
    private readonly resource: VersionedResource,
    private readonly principal: Principal,
    private readonly event: AuditEventDraft,
    /** Null if the resource is being created. */
    private readonly id: string | null,
    private readonly ifMatch: readonly string[] | null,
  ) {}

  async first(tx: Transaction): Promise<void> {
    this.hasRun = true;
    if (this.id === null) return;
    if (this.resource.organizationFirst) {
      await queryIn(tx, {
        text: "SELECT FROM organizations WHERE id = $1::uuid FOR NO KEY UPDATE",
        values: [this.principal.organizationId],
      });
    }
    this.check(await readEntityTag(tx, this.resource, this.principal, this.id, true));
  }

  async read(tx: Transaction): Promise<void> {
    const { resource_id, organization_id: organizationId } = this.event.row;
    const id = this.id ?? resource_id;
    // The created resource may itself be an organization.
    const principal = { ...this.principal, organizationId };
    this.entityTag = id === null ? null : await readEntityTag(tx, this.resource, principal, id);
  }

  /** For requests that change nothing after all, and had no transaction. Throws 412. */
  async checkUnchanged(): Promise<void> {
    if (this.hasRun || this.id === null) return;
    this.entityTag = await readEntityTag(null, this.resource, this.principal, this.id);
    this.check(this.entityTag);
  }

  private check(present: string | null): void {
    // The verb refuses a missing resource with 404, whatever If-Match says.
    if (present === null || this.ifMatch === null || this.ifMatch.includes(present)) return;
    throw new ApiError("PRECONDITION_FAILED", "If-Match does not name the current version.");
  }
}

interface Call {
  endpoint: Endpoint;
  principal: Principal;
  params: Record<string, string>;
  headers: IncomingHttpHeaders;
  event: AuditEventDraft;
}

/**
 * Runs a verb under its request's `If-Match`. `entityTag` is the tag of the version in the response; null if the response is not a
 * single versioned resource. Throws 400 for an `If-Match` that is malformed or not supported, 412.
 */
export async function withEntityTag<Result>(
  { endpoint, principal, params, headers, event }: Call,
  verb: () => Promise<Result>,
): Promise<{ result: Result; entityTag: string | null }> {
  const { method, path, status } = endpoint;
  // Ignored, it would let a change happen that the caller wanted only of one version.
  if (method !== "GET" && headers["if-match"] !== undefined && !takesIfMatch(endpoint)) {
    throw invalid("If-Match", "is not supported here: the request is not the change of one resource's version");
  }
  const resource = versionedResource(method, path);
  if (resource === undefined) return { result: await verb(), entityTag: null };
  const [, name = ""] = /\{(\w+)\}(?:\/[a-z-]+)?$/.exec(path) ?? [];
  const id = status === 201 ? null : (params[name] ?? null);
  if (method === "GET") {
    // Read before the resource: at worst the tag is older than the response, and a change with it is refused.
    const entityTag = id === null ? null : await readEntityTag(null, resource, principal, id);
    return { result: await verb(), entityTag };
  }
  const ifMatch = id === null ? undefined : headers["if-match"];
  const expected = ifMatch === undefined ? null : parseIfMatch(ifMatch);
  const precondition = new Precondition(resource, principal, event, id, expected);
  event.changeSteps.push(precondition);
  const result = await verb();
  await precondition.checkUnchanged();
  return { result, entityTag: method === "DELETE" ? null : precondition.entityTag };
}
