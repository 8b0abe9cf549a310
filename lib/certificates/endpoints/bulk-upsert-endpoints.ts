import { auditedBulk } from "@/lib/audit-logs/write/audited-bulk";
import { ChangeList, recordBulkChanges } from "@/lib/audit-logs/write/changes";
import { requireRoom } from "@/lib/billing/plan-limits";
import { lockAgents, refuseUncheckable, UNKNOWN_AGENT } from "@/lib/certificates/agents/require-agent";
import { createCertificateEndpoint } from "@/lib/certificates/contract";
import type * as contract from "@/lib/certificates/endpoints/bulk-contract";
import type { EndpointBulkResult } from "@/lib/certificates/endpoints/bulk-contract";
import { recordedEndpoint, recordedNameOf } from "@/lib/certificates/endpoints/certificate-endpoint";
import { changeEndpoint, type EndpointChanges } from "@/lib/certificates/endpoints/change-endpoint";
import { newEndpoint, refuseForbidden, storedSni } from "@/lib/certificates/endpoints/create-endpoint";
import { usualPorts } from "@/lib/certificates/targets";
import {
  lockDefaultTrustStore,
  lockTrustStores,
  UNKNOWN_TRUST_STORE,
} from "@/lib/certificates/trust-stores/require-trust-store";
import type { Transaction } from "@/lib/db/app";
import type { CertificateEndpoint as Row } from "@/lib/db/generated/app/client";
import { insertRows } from "@/lib/db/insert-rows";
import { lockRows } from "@/lib/db/lock-rows";
import type { Input, Output } from "@/lib/http/endpoint";
import { asReason } from "@/lib/http/errors";
import { describeIssues, issuesOf, MAX_ISSUES_OF_ITEM } from "@/lib/http/input";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { mapInTurns, readInParts } from "@/lib/turns";

type EndpointInput = Input<typeof createCertificateEndpoint>;

/**
 * Creates endpoints and changes existing ones by target. An invalid item fails alone, with its reason. If the plan has no room
 * for all new endpoints, the whole request is rejected before any change. Throws 400, 402, 403.
 */
export async function bulkUpsertEndpoints(
  principal: Principal,
  { items, dry_run }: Input<typeof contract.bulkUpsertEndpoints>,
): Promise<Output<typeof contract.bulkUpsertEndpoints>> {
  requireAdmin(principal);
  const read = await readItems(items);
  return auditedBulk(dry_run, async (tx, event) => {
    const changes = new ChangeList();
    const results = await upsert(tx, principal.organizationId, read, changes);
    event.resource("certificate_endpoint", null);
    recordBulkChanges(event, changes);
    return results;
  });
}

interface ReadItem {
  index: number;
  key: string;
  input: EndpointInput;
  /** The given fields; an existing endpoint keeps the others. */
  given: EndpointChanges;
}

interface BadItem {
  index: number;
  /** Why the item is invalid. */
  error: string;
}

function keyOf({ host, port, sni, connectTo }: Pick<Row, "host" | "port" | "sni" | "connectTo">): string {
  return JSON.stringify([host, port, sni, connectTo]);
}

function readItem(item: unknown, index: number): ReadItem | BadItem {
  const parsed = createCertificateEndpoint.body.safeParse(item);
  if (!parsed.success) {
    return { index, error: describeIssues(issuesOf(parsed.error), MAX_ISSUES_OF_ITEM) };
  }
  const input = parsed.data;
  const { host, port = usualPorts[input.protocol] } = input;
  const key = keyOf({ host, port, sni: storedSni(input), connectTo: input.connect_to ?? "" });
  const given = Object.fromEntries(Object.entries(input).filter(([field]) => field in (item as object)));
  return { index, key, input, given };
}

function readItems(items: readonly unknown[]): Promise<(ReadItem | BadItem)[]> {
  const keys = new Set<string>();
  return mapInTurns(items, (item, index) => {
    const read = readItem(item, index);
    if ("error" in read) return read;
    if (keys.has(read.key))
      return { index, error: "host: occurs twice in this request with the same port, sni and connect_to" };
    keys.add(read.key);
    return read;
  });
}

/** Rejects an item that would be a new endpoint which cannot be checked. An existing endpoint is judged by its own fields instead. */
function judgeFresh(item: ReadItem): ReadItem | BadItem {
  const { index, input } = item;
  try {
    refuseForbidden(input);
    refuseUncheckable({ ...input, agentId: input.agent_id, connectTo: input.connect_to ?? "" });
    return item;
  } catch (error) {
    return { index, ...asReason(error) };
  }
}

/** Rejects items with unknown trust stores or agents. Locks those of the others, so that nobody deletes them meanwhile. */
async function withKnown(tx: Transaction, organizationId: string, items: readonly (ReadItem | BadItem)[]) {
  const wanted = items.flatMap((item) => ("error" in item ? [] : (item.input.trust_store_id ?? [])));
  const known = new Set<string | null | undefined>([
    null,
    undefined,
    ...(await lockTrustStores(tx, organizationId, wanted)),
  ]);
  const agents = await lockAgents(
    tx,
    organizationId,
    items.flatMap((item) => ("error" in item ? [] : (item.input.agent_id ?? []))),
  );
  return items.map((item) => {
    if ("error" in item) return item;
    const { trust_store_id, agent_id } = item.input;
    if (!known.has(trust_store_id)) return { index: item.index, error: `trust_store_id: ${UNKNOWN_TRUST_STORE}` };
    if (agent_id !== null && !agents.has(agent_id)) return { index: item.index, error: `agent_id: ${UNKNOWN_AGENT}` };
    return item;
  });
}

/**
 * The same within a larger change: one result per item, in order; the worker checks new endpoints. Throws 402 before any change
 * if the plan has no room for all new endpoints.
 */
export async function upsertEndpoints(
  tx: Transaction,
  organizationId: string,
  items: readonly unknown[],
): Promise<EndpointBulkResult[]> {
  return upsert(tx, organizationId, await readItems(items), new ChangeList());
}

async function upsert(
  tx: Transaction,
  organizationId: string,
  all: readonly (ReadItem | BadItem)[],
  changes: ChangeList,
): Promise<EndpointBulkResult[]> {
  const known = await withKnown(tx, organizationId, all);
  const wanted = known.flatMap((item) => ("error" in item ? [] : [item]));
  // Trust stores and agents are locked before endpoints and the organization, by everybody.
  const isDefaultWanted = wanted.some(({ input }) => input.trust_store_id === undefined);
  const defaultTrust = isDefaultWanted ? await lockDefaultTrustStore(tx, organizationId) : null;
  const hosts = [...new Set(wanted.map(({ input }) => input.host))];
  const read = (part: readonly string[]) =>
    tx.certificateEndpoint.findMany({ where: { organizationId, host: { in: [...part] } } });
  const keys = new Set(wanted.map(({ key }) => key));
  const found = (await readInParts(hosts, read)).filter((row) => keys.has(keyOf(row)));
  await lockRows(
    tx,
    "certificate_endpoints",
    organizationId,
    found.map(({ id }) => id),
  );
  const existing = found.length === 0 ? [] : await readInParts(hosts, read);
  const byKey = new Map(existing.map((row) => [keyOf(row), row]));
  const items = known.map((item) => ("error" in item || byKey.has(item.key) ? item : judgeFresh(item)));
  const fresh = items.flatMap((item) => ("error" in item || byKey.has(item.key) ? [] : [item]));
  if (fresh.length > 0) await requireRoom(tx, organizationId, "certificate_endpoints", fresh.length);
  const now = new Date();
  const rows = new Map(fresh.map(({ key, input }) => [key, newEndpoint(organizationId, input, defaultTrust, now)]));
  await insertRows(tx, "certificate_endpoints", [...rows.values()]);
  changes.created = rows.size;
  return mapInTurns(items, async (item): Promise<EndpointBulkResult> => {
    const { index } = item;
    if ("error" in item) return { index, status: "failed", id: null, error: item.error };
    const before = byKey.get(item.key);
    if (before === undefined) return { index, status: "created", id: rows.get(item.key)?.id ?? null, error: null };
    const changed = await changeEndpoint(tx, before, item.given, false).catch(asReason);
    if ("error" in changed) return { index, status: "failed", id: null, error: changed.error };
    const { isChanged, after } = changed;
    const resource = { id: before.id, name: recordedNameOf(before) };
    if (isChanged) changes.update(resource, recordedEndpoint(before), after);
    return { index, status: isChanged ? "updated" : "unchanged", id: before.id, error: null };
  });
}
