import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { innerNodes, type Node, nodesIn, Source, stringOf } from "@/server/testing/source";

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));

/** Without what sets databases up and fills the demonstration. */
const sources = ["app", "components", "lib", "server"]
  .flatMap(filesOf)
  .filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|^lib\/db\/generated|^server\/(demo|database|testing)/.test(name),
  )
  .map((name) => new Source(name));
const querying = sources.filter(({ text }) => /"@\/lib\/db\/|\btx\b|\b(FROM|JOIN|UPDATE|INTO) /.test(text));

/** Whatever breaks a rule, by file. */
type Offences = [file: string, what: string][];

/** Fails for offences in other files than the exceptions, and for exceptions without an offence. */
function expectOnly(offences: Offences, exceptions: Record<string, string[]>): void {
  const excepted = Object.values(exceptions).flat();
  expect(offences.filter(([file]) => !excepted.includes(file))).toEqual([]);
  const found = offences.map(([file]) => file);
  expect(excepted.filter((file) => !found.includes(file))).toEqual([]);
}

const schema = [...filesOf("prisma/app"), "prisma/audit/schema.prisma"]
  .filter((name) => name.endsWith(".prisma"))
  .map((name) => readFileSync(name, "utf8"))
  .join("\n");
const models = [...schema.matchAll(/^model (\w)(\w+) \{$(.*?)@@map\("(\w+)"\)/gms)].map(
  ([, initial = "", rest = "", fields = "", table = ""]) => ({
    name: `${initial.toLowerCase()}${rest}`,
    table,
    isOwned: /^ +organizationId /m.test(fields),
  }),
);
const owned = models.filter(({ isOwned }) => isOwned);
const alternatives = (words: string[]) => `(?:${words.join("|")})`;

const PRISMA_CHANGE = new RegExp(
  `\\.${alternatives(models.map(({ name }) => name))}\\.(create|update|upsert|delete)\\w*$`,
);
const SQL_CHANGE = /\b(INSERT INTO|DELETE FROM|MERGE INTO|TRUNCATE|UPDATE \S+\s+(\w+\s+){0,2}SET)\s/;

/** What `queryIn` sends in a transaction. */
function givenToTransaction(source: Source): Node[] {
  const sent = source.calls().filter(({ callee, args: [tx] }) => callee === "queryIn" && source.textOf(tx) === "tx");
  return sent.flatMap(({ args }) => args.flatMap((arg) => innerNodes(arg)));
}

test("changes happen inside the audited transaction", () => {
  const offences = querying.flatMap((source): Offences => {
    const inTransaction = source
      .nodes("TaggedTemplateExpression")
      .filter(({ tag }) => source.textOf(tag).startsWith("tx.$"))
      .flatMap(({ quasi }) => nodesIn(quasi))
      .concat(givenToTransaction(source));
    const calls = source.calls().filter(
      ({ callee, args }) =>
        (PRISMA_CHANGE.test(callee) && !callee.startsWith("tx.")) ||
        callee === "inTransaction" ||
        callee.endsWith(".$transaction") ||
        // Given as a transaction.
        args.some((arg) => source.textOf(arg) === "db()"),
    );
    const statements = source
      .strings()
      .filter(({ node, text }) => SQL_CHANGE.test(text) && !inTransaction.includes(node));
    return [...calls.map(({ callee }) => callee), ...statements.map(({ text }) => text)].map((what) => [
      source.name,
      what,
    ]);
  });
  expectOnly(offences, {
    "The audited transaction itself, and the log it writes to": [
      "lib/db/app.ts",
      "lib/audit-logs/write/audited-transaction.ts",
      "lib/audit-logs/write/append.ts",
      "lib/audit-logs/write/first-seen-origins.ts",
      "lib/audit-logs/write/outbox.ts",
      "lib/audit-logs/check/check-logs.ts",
      "lib/audit-logs/check/queue-unsealed.ts",
      "lib/audit-logs/count/fold-deltas.ts",
      "lib/audit-logs/retain/delete-organization-events.ts",
      "lib/audit-logs/retain/drop-days.ts",
      "lib/audit-logs/retain/move-classes.ts",
      "lib/audit-logs/retain/move-day.ts",
      "lib/audit-logs/retain/move-events.ts",
      "lib/audit-logs/retain/seals.ts",
      "lib/audit-logs/retain/settle.ts",
      "lib/audit-logs/seal/expire-seals.ts",
      "lib/audit-logs/count/uncount.ts",
      "lib/audit-logs/redact/redact-caller.ts",
      "lib/audit-logs/redact/redact-event.ts",
      "lib/audit-logs/seal/import-stored.ts",
      "lib/audit-logs/seal/log-rows.ts",
      "lib/audit-logs/seal/sealer.ts",
      "lib/audit-logs/sign/anchor-checkpoint.ts",
      "lib/audit-logs/sign/begin-round.ts",
      "lib/audit-logs/sign/change-keys.ts",
      "lib/audit-logs/sign/complete-round.ts",
      "lib/audit-logs/sign/confirm-checkpoint.ts",
      "lib/audit-logs/sign/installation.ts",
      "lib/audit-logs/sign/new-epoch.ts",
      "lib/audit-logs/sign/redact-again.ts",
      "lib/audit-logs/sign/sealed-heads.ts",
      "lib/audit-logs/sign/sign-checkpoints.ts",
      "lib/audit-logs/stamp/prepare-stamp.ts",
      "lib/audit-logs/stamp/stamp-checkpoints.ts",
      "lib/audit-logs/cosign/cover-logs.ts",
      "lib/audit-logs/cosign/lease-witnesses.ts",
      "lib/audit-logs/cosign/record-outcome.ts",
      "lib/audit-logs/rounds/blocks.ts",
    ],
    "Commands about the whole installation, in the audit database; the command has its event": [
      "lib/audit-logs/cosign/add-witness.ts",
      "lib/audit-logs/cosign/remove-witness.ts",
    ],
    "The same content under another key, by a command for the whole installation": ["server/encryption/change-key.ts"],
    "The rows of a backup, into empty databases": ["server/backup/restore-backup.ts"],
    "What processes say about themselves": ["server/presence/report-presence.ts"],
    "Jobs: schedules, leases and results of checks": [
      "lib/alert-schedule/wake.ts",
      "lib/alerts/evaluation/evaluate-due.ts",
      "lib/alerts/evaluation/find-unchanged.ts",
      "lib/alerts/evaluation/leases.ts",
      "lib/alerts/evaluation/pass-unchanged.ts",
      "lib/alerts/unsent/notify-again.ts",
      "lib/anchors/send-checkpoints.ts",
      "lib/audit-logs/redact/redact-due.ts",
      "lib/audit-views/weekly-email/send-due.ts",
      "lib/certificates/agents/find-silent-agents.ts",
      "lib/certificates/caa/read-names.ts",
      "lib/certificates/caa/record-names.ts",
      "lib/certificates/record/record-certificates.ts",
      "lib/certificates/record/record-endpoints.ts",
      "lib/certificates/record/record-findings.ts",
      "lib/certificates/record/record-sightings.ts",
      "lib/certificates/record/scanned-certificates.ts",
      "lib/certificates/renewal-info/read-renewals.ts",
      "lib/certificates/renewal-info/record-renewals.ts",
      "lib/certificates/trust-stores/recheck-users.ts",
      "lib/destinations/sending/lease.ts",
      "lib/destinations/sending/move-cursor.ts",
      "lib/destinations/sending/stream-due.ts",
      "lib/jobs/due-checks.ts",
      "lib/notification-channels/deliveries/claim-recipients.ts",
      "lib/notification-channels/deliveries/record-attempts.ts",
      "lib/notification-channels/deliveries/send-due.ts",
      "lib/subdomains/accounting/account-issuances.ts",
      "lib/subdomains/discover-due.ts",
      "lib/subdomains/record-found.ts",
      "lib/uptime/checks/record-outcomes.ts",
      "lib/uptime/checks/wait-again.ts",
      "lib/witness/add-checkpoint.ts",
    ],
    "Jobs: deletion of what has expired or belongs to a deleted organization, and its announcement": [
      "lib/db/delete-in-steps.ts",
      "lib/db/delete-people-in-steps.ts",
      "lib/invitations/expire-invitations.ts",
      "lib/organizations/empty-tables.ts",
      "lib/organizations/notify-deletion.ts",
      "lib/organizations/purge.ts",
      "lib/sign-in/expire-people.ts",
      "lib/uptime/checks/partitions.ts",
    ],
    "A job that fills columns a migration added": [
      "lib/db/finish-migrations.ts",
      "lib/certificates/record/fill-usages.ts",
      "lib/uptime/seal-headers.ts",
    ],
    "When something was last used": [
      "lib/api-keys/last-use.ts",
      "lib/auth/find-session.ts",
      "lib/certificates/agents/touch-agent.ts",
      "lib/organizations/touch-visit.ts",
    ],
    "Responses stored for repeated requests": ["lib/api/idempotency.ts"],
    "An earlier check, which changes no setting; the request has its event": ["lib/jobs/queue-checks.ts"],
    "Our note of a page at the payment provider; the plan changes with the subscription": [
      "lib/billing/create-checkout.ts",
    ],
    "Reads only": ["lib/alerts/evaluation/test-rule.ts", "lib/alerts/rules/alert-rule.ts"],
  });
});

test("a verb that changes something begins with the permission check", () => {
  const importedBy = (source: Source, name: string) => {
    const [, path] = new RegExp(`^import [^;]*\\b${name}\\b[^;]* from "@/([^"]+)"`, "m").exec(source.text) ?? [];
    return sources.find((other) => other.name === `${path}.ts`);
  };
  const handlers = sources.flatMap((source) =>
    [...source.text.matchAll(/handle\(\s*(contract)\.(\w+),\s*(\w+)/g)].map(
      ([, contract = "", endpoint = "", verb = ""]) => {
        const defined = new RegExp(`export const ${endpoint} = endpoint\\(\\{.*?\\bmethod: "(\\w+)"`, "s");
        const [, method] = defined.exec(importedBy(source, contract)?.text ?? "") ?? [];
        return { file: importedBy(source, verb), method, verb };
      },
    ),
  );
  expect(handlers.length).toBeGreaterThan(100);
  const offences = handlers.flatMap(({ file, method, verb }): Offences => {
    if (method === "GET") return [];
    const definition = file?.nodes("FunctionDeclaration").find(({ id }) => file.textOf(id) === verb);
    const first = nodesIn(definition?.body).flatMap(({ body }) => nodesIn(body))[0];
    return file?.textOf(first) === "requireAdmin(principal);" ? [] : [[file?.name ?? "", `${method} ${verb}`]];
  });
  expectOnly(offences, {
    "Any person may create an organization": ["lib/organizations/create.ts"],
    "The payment provider signs its requests": ["lib/billing/receive-webhook-event.ts"],
  });
});

/** What a name stands for: in its own source, else where it is exported. */
function definitionsOf(name: string, source: Source): [Node, Source][] {
  const own = (from: Source) =>
    from
      .nodes("VariableDeclarator", "FunctionDeclaration")
      .filter(({ id }) => nodesIn(id)[0]?.name === name)
      .map((node): [Node, Source] => [nodesIn(node.init)[0] ?? node, from]);
  const found = own(source);
  if (found.length > 0) return found;
  return sources.filter(({ text }) => new RegExp(`^export .*\\b${name}\\b`, "m").test(text)).flatMap(own);
}

/** Whether a condition of Prisma or SQL begins with the organization. */
function beginsWithOrganization(node: Node | undefined, source: Source): boolean {
  const begins = (value: unknown) => beginsWithOrganization(nodesIn(value)[0], source);
  // `where` of lib/audit-logs makes them, and its own test holds that they begin so.
  const isConditions = (type: unknown) => /^: Conditions$/.test(source.textOf(type));
  switch (node?.type) {
    case "Literal":
    case "TemplateLiteral":
      return isOrganizationFirst(stringOf(node), node, source);
    case "TaggedTemplateExpression":
      return begins(node.quasi);
    case "ObjectExpression": {
      const [first] = nodesIn(node.properties);
      if (first?.type === "SpreadElement") return begins(first.argument);
      const key = source.textOf(first?.key);
      return key === "AND" ? begins(first?.value) : /^organizationId(_|$)/.test(key);
    }
    case "ArrayExpression":
      return begins(node.elements);
    case "ConditionalExpression":
      return begins(node.consequent) && begins(node.alternate);
    case "CallExpression":
      // `chosen(…)` begins with what the function returns, `all.join(…)` with `all`, `join([…])` with the first of the list.
      return begins(node.callee) || begins(node.arguments);
    case "MemberExpression":
      return begins(node.object);
    case "ArrowFunctionExpression":
    case "FunctionDeclaration": {
      const returned = innerNodes(node).filter(({ type }) => type === "ReturnStatement");
      if (isConditions(node.returnType)) return true;
      return returned.length > 0 ? returned.every(({ argument }) => begins(argument)) : begins(node.body);
    }
    case "Identifier": {
      const parameter = source
        .nodes("Identifier")
        .find(({ name, typeAnnotation }) => name === node.name && typeAnnotation);
      if (isConditions(parameter?.typeAnnotation)) return true;
      return definitionsOf(String(node.name), source).some(([of, from]) => beginsWithOrganization(of, from));
    }
    default:
      return false;
  }
}

function isOrganizationFirst(condition: string, { expressions }: Node, source: Source): boolean {
  const [, index] = /^[\s(]*\$\{(\d+)\}/.exec(condition) ?? [];
  if (index !== undefined) return beginsWithOrganization(nodesIn(expressions)[Number(index)], source);
  return /^[\s(]*(\w+\.)?organization_id\b/.test(condition);
}

const PRISMA_QUERY = new RegExp(
  `\\.${alternatives(owned.map(({ name }) => name))}\\.(find|count|aggregate|groupBy|update|upsert|delete)\\w*$`,
);
const SQL_QUERY = new RegExp(`\\b(FROM|JOIN|UPDATE)\\s+${alternatives(owned.map(({ table }) => table))}\\b`, "g");

test("the organization is the first condition of every query on what organizations own", () => {
  expect(owned.length).toBeGreaterThan(35);
  const offences = querying.flatMap((source): Offences => {
    const calls = source.calls().filter(({ callee, args }) => {
      const where = nodesIn(args[0]?.properties).find(({ key }) => source.textOf(key) === "where");
      return PRISMA_QUERY.test(callee) && !beginsWithOrganization(nodesIn(where?.value)[0], source);
    });
    const statements = source.strings().flatMap(({ node, text }) =>
      [...text.matchAll(SQL_QUERY)].flatMap(({ 1: word, index }) => {
        const condition = (word === "JOIN" ? /\bON\b(.*)/s : /\bWHERE\b(.*)/s).exec(text.slice(index))?.[1] ?? "";
        return isOrganizationFirst(condition, node, source) ? [] : [text.slice(index)];
      }),
    );
    return [...calls.map(({ callee }) => callee), ...statements].map((what) => [source.name, what]);
  });
  expectOnly(offences, {
    "A person, of any organization": [
      "lib/auth/find-session.ts",
      "lib/organizations/empty-tables.ts",
      "lib/organizations/list.ts",
      "lib/organizations/membership.ts",
      "lib/sign-in/expire-people.ts",
      "lib/sign-in/sign-in.ts",
    ],
    "A secret that belongs to one organization": [
      "lib/certificates/calendars/read-calendar-feed.ts",
      "lib/invitations/find.ts",
      "lib/uptime/heartbeats/receive-heartbeat.ts",
    ],
    "A published page, by its address": ["lib/status-pages/public/published-status.ts"],
    "Jobs, for all organizations": [
      "lib/alerts/evaluation/leases.ts",
      "lib/alerts/evaluation/pass-unchanged.ts",
      "lib/alerts/evaluation/mass-failure.ts",
      "lib/audit-logs/check/check-logs.ts",
      "lib/audit-logs/count/fold-deltas.ts",
      "lib/audit-logs/held/active-holds.ts",
      "lib/audit-logs/redact/redact-due.ts",
      "lib/audit-logs/retain/drop-days.ts",
      "lib/audit-logs/retain/retention.ts",
      "lib/audit-logs/seal/import-stored.ts",
      "lib/audit-logs/seal/log-rows.ts",
      "lib/audit-logs/seal/sealer.ts",
      "lib/audit-logs/sign/begin-round.ts",
      "lib/audit-logs/sign/change-keys.ts",
      "lib/audit-logs/sign/complete-round.ts",
      "lib/audit-logs/sign/new-epoch.ts",
      "lib/audit-logs/sign/sign-checkpoints.ts",
      "lib/audit-logs/stamp/prepare-stamp.ts",
      "lib/audit-logs/cosign/cover-logs.ts",
      "lib/audit-logs/cosign/record-outcome.ts",
      "lib/audit-logs/write/outbox.ts",
      "lib/certificates/agents/find-silent-agents.ts",
      "lib/certificates/trust-stores/recheck-users.ts",
      "lib/db/readiness.ts",
      "lib/destinations/sending/lease.ts",
      "lib/destinations/sending/pause-failing.ts",
      "lib/invitations/expire-invitations.ts",
      "lib/notification-channels/deliveries/disable-failing.ts",
      "lib/notification-channels/deliveries/order.ts",
      "lib/organizations/purge.ts",
    ],
    "Figures of all organizations together, for the operator": [
      "lib/destinations/figures.ts",
      "lib/operator/figures.ts",
      "lib/operator/read-streams.ts",
      "lib/operator/read-volumes.ts",
    ],
    "A backup of the whole installation": ["server/backup/catalogue.ts"],
    "What doctor examines, of all organizations": ["server/doctor/check-filing.ts"],
    "Its conditions are those of lib/audit-logs/scope/where.ts": ["lib/audit-logs/read/pages.ts"],
  });
});

test("connections to databases are opened in lib/db only, where they get their time limits and listeners of errors", () => {
  const opened = sources.flatMap((source): Offences => {
    const [found] = /\bnew (pg\.\w+|PrismaClient|Client|Pool)\(|extends pg\.(Client|Pool)\b/.exec(source.text) ?? [];
    return found === undefined ? [] : [[source.name, found]];
  });
  expect(opened.length).toBeGreaterThan(1);
  expect(opened.filter(([file]) => !file.startsWith("lib/db/"))).toEqual([]);
});
