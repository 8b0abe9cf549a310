import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type VersionedResource, versionedResource } from "@/lib/api/versions";
import type { AuditEventDraft, ChangeStep } from "@/lib/audit-logs/audit-event-draft";
import { requireSetting } from "@/lib/config";
import { db, type Transaction } from "@/lib/db/app";
import type { Endpoint } from "@/lib/http/endpoint";
import { ApiError, invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** `*`, or entity tags separated by commas (RFC 9110, section 13.1.1). */
const IF_MATCH = /^(?:\*|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[ \t]*,[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*)$/;

/** The tags of an `If-Match`; null for `*`, which any version matches. Throws 400. */
export function parseIfMatch(value: string): readonly string[] | null {
  const trimmed = value.trim();
  if (!IF_MATCH.test(trimmed))
    throw invalid("If-Match", 'must be * or entity tags such as "x9Zk", separated by commas');
  return trimmed === "*" ? null : (trimmed.match(/(?:W\/)?"[^"]*"/g) ?? []);
}

/**
 * The ETag of a resource's present version; null where there is no such resource. It is keyed, so that it gives away nothing of the
 * secrets it depends on. With `lock` the row is held until the transaction ends.
 */
async function readEntityTag(
  tx: Pick<Transaction, "$queryRawUnsafe">,
  { table, columns, where, owner }: VersionedResource,
  { organizationId, actor }: Principal,
  id: string,
  lock = false,
): Promise<string | null> {
  const visible = owner === undefined ? "" : ` AND ${owner} IN ($1::uuid, $3::uuid)`;
  // Not FOR UPDATE: rows that refer to this one may be written meanwhile, by whoever waits for what we hold.
  const sql = `SELECT ${columns.join(", ")} FROM ${table}
    WHERE ${where ?? "organization_id = $1::uuid AND id = $2::uuid"}${visible}${lock ? " FOR NO KEY UPDATE" : ""}`;
  const caller = actor.type === "system" ? organizationId : actor.id;
  const values = [organizationId, id, ...(owner === undefined ? [] : [caller])];
  const [row] = await tx.$queryRawUnsafe<Record<string, unknown>[]>(sql, ...values);
  if (row === undefined) return null;
  const hash = createHmac("sha256", requireSetting("SESSION_SECRET")).update(`${table} ${id} ${JSON.stringify(row)}`);
  return `"${hash.digest("base64url").slice(0, 27)}"`;
}

/**
 * Holds a request that changes a resource to its `If-Match`, within the transaction of the change: of two that name the same version
 * one wins. Afterwards `entityTag` is that of the version which the change made.
 */
class Precondition implements ChangeStep {
  entityTag: string | null = null;
  private wasChecked = false;

  constructor(
    private readonly resource: VersionedResource,
    private readonly principal: Principal,
    private readonly event: AuditEventDraft,
    /** Null for one that is being created. */
    private readonly id: string | null,
    private readonly ifMatch: readonly string[] | null,
  ) {}

  async first(tx: Transaction): Promise<void> {
    if (this.id === null) return;
    await this.check(await readEntityTag(tx, this.resource, this.principal, this.id, true));
  }

  async last(tx: Transaction): Promise<void> {
    const { resource_id, organization_id: organizationId } = this.event.row;
    const id = this.id ?? resource_id;
    // What is created may be an organization of its own.
    const principal = { ...this.principal, organizationId };
    this.entityTag = id === null ? null : await readEntityTag(tx, this.resource, principal, id);
  }

  /** For a request that turned out to change nothing. Throws 412. */
  async checkUnchanged(tx: Pick<Transaction, "$queryRawUnsafe">): Promise<void> {
    if (this.wasChecked || this.id === null || this.ifMatch === null) return;
    await this.check(await readEntityTag(tx, this.resource, this.principal, this.id));
  }

  private async check(present: string | null): Promise<void> {
    this.wasChecked = true;
    // What is not there is the verb's to refuse: 404, whatever was expected of it.
    if (present === null || this.ifMatch === null || this.ifMatch.includes(present)) return;
    throw new ApiError("PRECONDITION_FAILED", "If-Match names another version than the present one.");
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
 * Runs a verb under its request's `If-Match`. `entityTag` is that of the version in the answer; null where the answer is no single
 * resource with versions. Throws 400 for a malformed `If-Match`, 412.
 */
export async function withEntityTag<Result>(
  { endpoint, principal, params, headers, event }: Call,
  verb: () => Promise<Result>,
): Promise<{ result: Result; entityTag: string | null }> {
  const { method, path, status } = endpoint;
  const resource = versionedResource(method, path);
  if (resource === undefined) return { result: await verb(), entityTag: null };
  const [, name = ""] = /\{(\w+)\}(?:\/[a-z-]+)?$/.exec(path) ?? [];
  const id = status === 201 ? null : (params[name] ?? null);
  if (method === "GET") {
    // Read before the resource: at worst it is the tag of a version before the one shown, and a change by it is refused.
    const entityTag = id === null ? null : await readEntityTag(db(), resource, principal, id);
    return { result: await verb(), entityTag };
  }
  const ifMatch = id === null ? undefined : headers["if-match"];
  const expected = ifMatch === undefined ? null : parseIfMatch(ifMatch);
  const precondition = new Precondition(resource, principal, event, id, expected);
  event.changeSteps.push(precondition);
  const result = await verb();
  await precondition.checkUnchanged(db());
  return { result, entityTag: method === "DELETE" ? null : precondition.entityTag };
}
