import { readFile } from "node:fs/promises";
import * as z from "zod";
import type { ApiKey } from "@/lib/api-keys/contract";
import * as keys from "@/lib/api-keys/contract";
import { createApiKey } from "@/lib/api-keys/create";
import { listApiKeys } from "@/lib/api-keys/list";
import { revokeApiKey } from "@/lib/api-keys/revoke";
import { newestCheckpoint } from "@/lib/audit-logs/bundle/header";
import { checkDay } from "@/lib/audit-logs/check/check-day";
import { checkLogNow } from "@/lib/audit-logs/check/check-logs";
import { confirmCheckpoint } from "@/lib/audit-logs/sign/confirm-checkpoint";
import { newestOfInstallation } from "@/lib/audit-logs/sign/installation";
import { beginEpoch } from "@/lib/audit-logs/sign/new-epoch";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { setPlan } from "@/lib/billing/set-plan";
import { hasRunningSubscription } from "@/lib/billing/subscription";
import { auditPool } from "@/lib/db/audit";
import type { Organization } from "@/lib/db/generated/app/client";
import type { Action } from "@/lib/http/actions";
import type { Page } from "@/lib/http/endpoint";
import { name as nameShape } from "@/lib/http/endpoint";
import { issuesOf } from "@/lib/http/input";
import { type Principal, systemPrincipal } from "@/lib/http/principal";
import { createOrganizationAsOperator } from "@/lib/organizations/create";
import { findOrganization, listAllOrganizations } from "@/lib/organizations/list";
import { everyMember } from "@/lib/organizations/list-members";
import { relinkMember, removeMemberByEmail, setMember } from "@/lib/organizations/set-member";
import { auditRetentionDays, type Plan, plans } from "@/lib/plans";
import { formatVkey } from "@/lib/sealed-log/vkey";
import { witness } from "@/lib/witness/identity";
import { auditKeyState, keyChangeWords, rotateAuditKey } from "@/server/audit-key";
import { CliError, UsageError } from "@/server/cli-error";
import { auditWitness, installationVkey, WITNESS_FORMS } from "@/server/commands/audit-witness";
import { callersPath } from "@/server/commands/callers-path";
import { type Answer, type Command, command } from "@/server/commands/command";
import { APPLY_USAGE, BACKUP_USAGE, RESTORE_USAGE } from "@/server/commands/usages";
import { changeEncryptionKey, changeWords } from "@/server/encryption/change-key";

const permissionShape = z.enum(["admin", "read"]).default("read");
const dayShape = z.iso.date("must be a day such as 2026-11-23");
const reasonShape = z.string().trim().min(1).max(500);
/** At most 255 characters by OpenID Connect Core 1.0, section 2. */
const subjectShape = z.string().trim().min(1).max(255);
const planShape = z.enum(Object.keys(plans) as [Plan, ...Plan[]]);

const PAID_PLAN =
  "The organization has a subscription, which continues. It decides on the plan again once it pays for this plan or a larger one.";

/** Every operator command. Each runs the same verb as the API and is recorded as an event of the system. */
export const commands: Record<string, Command> = {
  "org create": command({
    needs: ["name"],
    async run(options) {
      const name = parse(nameShape, options.name, "--name");
      const made = await withAuditEvent({ action: "organization.create" }, () => createOrganizationAsOperator(name));
      return { json: toOrganization(made), text: `${made.id}  ${made.slug}  ${made.name}` };
    },
  }),
  "org list": command({
    async run() {
      const rows = await listAllOrganizations();
      const lines = rows.map(({ id, slug, name }) => `${id}  ${slug}  ${name}`);
      return { json: rows.map(toOrganization), text: lines.join("\n") || "No organizations yet." };
    },
  }),
  "org set-plan": command({
    needs: ["org", "plan"],
    async run(options) {
      const plan = parse(planShape, options.plan, "--plan");
      const changed = await within(options, "organization.set_plan", (principal) => setPlan(principal, { plan }));
      const line = `${changed.id}  ${changed.slug}  ${changed.plan}`;
      const isPaid = await hasRunningSubscription(changed.id);
      return { json: toOrganization(changed), text: isPaid ? `${line}\n${PAID_PLAN}` : line };
    },
  }),
  "encryption rotate": command({
    async run() {
      const change = await changeEncryptionKey();
      return { json: change, text: changeWords(change) };
    },
  }),
  "audit epoch": command({
    words: ["new"],
    needs: ["reason"],
    async run(options) {
      const reason = parse(reasonShape, options.reason, "--reason");
      const epoch = await beginEpoch(reason);
      return { json: { epoch }, text: `The sealed logs are in epoch ${epoch} now.` };
    },
  }),
  "audit key": command({
    words: ["", "rotate"],
    async run(_options, words) {
      const state = words.length === 0 ? await auditKeyState() : await rotateAuditKey();
      return { json: state, text: keyChangeWords(state) };
    },
  }),
  "audit witness": command({
    words: WITNESS_FORMS,
    run: (_options, words) => auditWitness(words),
  }),
  "audit vkey": command({ run: installationVkey }),
  "audit verify": command({
    needs: ["org"],
    takes: ["day"],
    async run(options) {
      const { id } = await organizationOf(options.org);
      if (options.day !== undefined) return verifyDay(id, parse(dayShape, options.day, "--day"));
      const { size, wrong } = await checkLogNow(id);
      if (wrong !== null) throw new CliError(wrong.message);
      return { json: { size }, text: `All ${size} signed entries and their events match what was sealed.` };
    },
  }),
  "audit checkpoint": command({
    takes: ["org", "confirm"],
    async run(options) {
      if (options.confirm !== undefined) {
        if (options.org !== undefined) throw new UsageError("--confirm takes no --org: the file names its log.");
        const { origin, size } = await confirmCheckpoint(await readCallersFile(options.confirm));
        return { json: { origin, size }, text: `${origin} continues this checkpoint of ${size} entries.` };
      }
      const signed =
        options.org === undefined
          ? await newestOfInstallation()
          : (await newestCheckpoint(auditPool(), (await organizationOf(options.org)).id))?.checkpoint;
      if (!signed) throw new CliError("No checkpoint has been signed yet.");
      return { json: { checkpoint: signed }, text: signed.replace(/\n$/, "") };
    },
  }),
  "witness key": command({
    async run() {
      const own = witness();
      if (own === null) throw new CliError("Set WITNESS_KEY and WITNESS_LOGS to be a witness.");
      const vkey = formatVkey(own.verifier);
      return { json: { vkey }, text: vkey };
    },
  }),
  "member list": command({
    needs: ["org"],
    async run(options) {
      const members = await within(options, "member.list", everyMember);
      const lines = members.map((member) => `${member.user_id}  ${member.permission.padEnd(5)}  ${member.email}`);
      return { json: members, text: lines.join("\n") || "No members yet." };
    },
  }),
  "member set": command({
    needs: ["org", "email"],
    takes: ["permission"],
    async run(options) {
      const { email } = options;
      const permission = parse(permissionShape, options.permission, "--permission");
      const set = await within(options, "member.set", (principal) => setMember(principal, { email, permission }));
      return { json: set, text: `${set.user_id}  ${set.permission.padEnd(5)}  ${email}` };
    },
  }),
  "member remove": command({
    needs: ["org", "email"],
    async run(options) {
      const { email } = options;
      const removed = await within(options, "member.remove", (principal) => removeMemberByEmail(principal, { email }));
      return { json: removed, text: `${removed.user_id}  removed  ${email}` };
    },
  }),
  "member relink": command({
    needs: ["org", "email", "subject"],
    async run(options) {
      const input = { email: options.email, subject: parse(subjectShape, options.subject, "--subject") };
      const relinked = await within(options, "member.relink", (principal) => relinkMember(principal, input));
      return { json: relinked, text: `${relinked.user_id}  signs in as ${relinked.subject}  ${input.email}` };
    },
  }),
  "key create": command({
    needs: ["org", "name"],
    takes: ["permission", "scope", "ip", "expires-at"],
    async run(options) {
      const input = parse(
        keys.createApiKey.body,
        {
          name: options.name,
          permission: options.permission,
          scope: options.scope,
          ip_whitelist: options.ip,
          expires_at: options["expires-at"],
        },
        "",
      );
      const made = await within(options, "api_key.create", (principal) => createApiKey(principal, input));
      return { json: made, text: `${summaryOf(made)}\n\nSecret (shown only once):\n${made.secret}` };
    },
  }),
  "key list": command({
    needs: ["org"],
    async run(options) {
      const items = await within(options, "api_key.list", (principal) =>
        everyPage((cursor) => listApiKeys(principal, { limit: 200, cursor })),
      );
      return { json: items, text: items.map(summaryOf).join("\n") || "No API keys yet." };
    },
  }),
  "key revoke": command({
    words: ["KEY_ID"],
    needs: ["org"],
    async run(options, [id = ""]) {
      if (!/^[0-9a-f-]{36}$/.test(id)) throw new CliError("KEY_ID must be the id of a key, as key list shows it.");
      const revoked = await within(options, "api_key.revoke", (principal) => revokeApiKey(principal, { id }));
      return { json: revoked, text: summaryOf(revoked) };
    },
  }),
};

async function verifyDay(organizationId: string, day: string): Promise<Answer> {
  if (Date.parse(day) > Date.now()) throw new CliError(`--day: ${day} has not begun yet (UTC).`);
  const { entries, isExpired, wrong } = await checkDay(organizationId, Date.parse(day));
  if (wrong !== null) throw new CliError(wrong.message);
  if (isExpired) throw new CliError(`--day: seals of ${day} are no longer kept: they have expired with their events.`);
  if (entries === 0) return { json: { day, entries }, text: `No entries were sealed on ${day}.` };
  return {
    json: { day, entries },
    text: `All ${entries} entries sealed on ${day} and their events match what was sealed.`,
  };
}

/** The usage text, with one line per command. */
export function usage(): string {
  const lines = Object.entries(commands).map(([words, { usage }]) => `  ${words} ${usage}`.trimEnd());
  return `Usage: npm run --silent cli -- COMMAND [--json]\n  doctor\n  ${BACKUP_USAGE}\n  ${RESTORE_USAGE}\n${lines.join("\n")}\n  ${APPLY_USAGE}\n`;
}

/** A file that an option names. Throws CliError if it cannot be read. */
async function readCallersFile(path: string): Promise<string> {
  try {
    return await readFile(callersPath(path), "utf8");
  } catch (error) {
    throw new CliError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function parse<Shape extends z.ZodType>(shape: Shape, value: unknown, flag: string): z.output<Shape> {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = issuesOf(parsed.error);
  throw new CliError(issues.map(({ path, message }) => `${flag || path}: ${message}`).join("\n"));
}

/** Runs a verb as the system in the organization that `--org` names. */
async function within<Result>(
  options: { org: string },
  action: Action,
  verb: (principal: Principal) => Promise<Result>,
) {
  const organization = await organizationOf(options.org);
  const principal = systemPrincipal(organization.id);
  return withAuditEvent({ action, principal, retentionDays: auditRetentionDays(organization.plan) }, () =>
    verb(principal),
  );
}

/** The organization that --org names. */
async function organizationOf(org: string): Promise<Organization> {
  const organization = await findOrganization(org);
  if (organization === null) throw new CliError(`--org: there is no organization "${org}".`);
  return organization;
}

async function everyPage<Item>(page: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null | undefined;
  do {
    const { items: more, nextCursor } = await page(cursor ?? undefined);
    items.push(...more);
    cursor = nextCursor;
  } while (cursor !== null);
  return items;
}

function toOrganization({ id, slug, name, plan, createdAt }: Organization) {
  return { id, slug, name, plan, created_at: createdAt.toISOString() };
}

function summaryOf({ id, name, permission, status, hint }: ApiKey): string {
  return `${id}  ${hint}  ${permission.padEnd(5)}  ${status.padEnd(7)}  ${name}`;
}
