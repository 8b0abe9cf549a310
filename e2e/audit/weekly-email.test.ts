import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect } from "vitest";
import { clearOfBoundary } from "@/e2e/support/boundaries";
import { type Member, newMember } from "@/e2e/support/member";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query, whileHeld } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { dailyTest, longTest } from "@/e2e/support/tier-tests";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import type { AuditView } from "@/lib/audit-views/contract";
import { updateAuditView } from "@/lib/audit-views/update";
import { emailAfter, lastWeek } from "@/lib/audit-views/week";
import { sendDueViewEmails } from "@/lib/audit-views/weekly-email/send-due";
import { configure } from "@/lib/config";
import type { Principal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const server = sharedServer();
const PATH = "/audit-logs/views";
const received: { to: string; text: string }[] = [];
let answer: string | null = null;
let greeting: number | null = null;
let smtpUrl = "";
const SMTP_FROM = "Sealwatch <watch@example.test>";

const box = new SMTPServer({
  authOptional: true,
  allowInsecureAuth: true,
  disabledCommands: ["STARTTLS"],
  onConnect: (_session, done) =>
    done(greeting === null ? null : Object.assign(new Error("not you"), { responseCode: greeting })),
  onAuth: (_auth, _session, done) => done(Object.assign(new Error("wrong password"), { responseCode: 535 })),
  onRcptTo: (_address, _session, done) =>
    done(answer === null ? null : Object.assign(new Error("not now"), { responseCode: Number(answer) })),
  onData: async (stream, { envelope }, done) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString().replaceAll("=\r\n", "");
    for (const { address } of envelope.rcptTo) received.push({ to: address, text });
    done();
  },
});

beforeAll(async () => {
  box.on("error", () => {});
  await new Promise<void>((resolve) => box.listen(0, "127.0.0.1", () => resolve()));
  const { port } = box.server.address() as AddressInfo;
  smtpUrl = `smtp://127.0.0.1:${port}`;
  configure({ SMTP_URL: smtpUrl, SMTP_FROM });
});
afterAll(() => void box.close(() => {}));

const mailsTo = ({ email }: Member) => received.filter(({ to }) => to === email);

const principalOf = ({ id }: Organization, { userId, email }: Member): Principal => ({
  organizationId: id,
  permission: "admin",
  actor: { type: "user", id: userId, name: email, email },
  isCurrent: async () => true,
});

/** Asks for the e-mail with the verb, because the shared server has no mail server. */
async function subscribe(owner: Organization, member: Member, id: string, weekly_email = true): Promise<AuditView> {
  const principal = principalOf(owner, member);
  const known = { action: "audit_view.update", principal } as const;
  return withAuditEvent(known, () => updateAuditView(principal, { id, weekly_email }));
}

const makeDue = ({ id }: Organization) =>
  query(server, "app", "UPDATE audit_view_emails SET next_at = now(), leased_until = NULL WHERE organization_id = $1", [
    id,
  ]);

const thisWeek = () => lastWeek(Date.now() + 7 * DAY_MS);

/** Two workers at the same time, on the Monday after this week. */
async function run(hour = 6): Promise<void> {
  const { signal } = new AbortController();
  const now = () => thisWeek().to + hour * HOUR_MS;
  await Promise.all([sendDueViewEmails(signal, now), sendDueViewEmails(signal, now)]);
}

const isLeased = ({ id }: Organization) =>
  query(
    server,
    "app",
    "SELECT leased_until IS NOT NULL AS is_leased FROM audit_view_emails WHERE organization_id = $1",
    [id],
  );

const newView = async ({ admin }: Organization, filters: object, scope = "organization", name = "Refusals") =>
  (await admin.post<AuditView>(PATH, { name, scope, query: filters })).data;

dailyTest("everybody who subscribed gets one e-mail a week, and nobody else does", async () => {
  await clearOfBoundary(DAY_MS, 30_000);
  const owner = await newOrganization(server);
  const [ada, ben, eve] = [
    await newMember(server, owner.id, "admin"),
    await newMember(server, owner.id, "admin"),
    await newMember(server, owner.id, "admin"),
  ];
  const path = `/api-keys/${newId()}`;
  const view = await newView(owner, { path: `/api/v1${path}`, range: "15m" });
  // On a busy machine events may arrive through the outbox.
  for (let count = 0; count < 2; count++) await eventById(server, (await owner.admin.get(path)).requestId);
  expect((await subscribe(owner, ada, view.id)).weekly_email).toBe(true);
  await subscribe(owner, ben, view.id);
  await run();
  expect([ada, ben, eve].flatMap(mailsTo)).toEqual([]);

  await makeDue(owner);
  await run();
  await run();
  for (const member of [ada, ben]) {
    const mails = mailsTo(member);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain("2 entries, 0 in the week before.");
    expect(mails[0]?.text).toContain(`Admin requested GET /api/v1${path} from `);
    expect(mails[0]?.text).toMatch(/^ {2}2 {2}Admin\r?$/m);
    expect(mails[0]?.text).toMatch(/^ {2}2 {2}404\r?$/m);
  }
  expect(mailsTo(eve)).toEqual([]);
  const due =
    "SELECT next_at > now() AND leased_until IS NULL AS is_next FROM audit_view_emails WHERE organization_id = $1";
  expect(await query(server, "app", due, [owner.id])).toEqual([{ is_next: true }, { is_next: true }]);

  // Only who asked sees that they did.
  await subscribe(owner, ada, view.id, false);
  await ben.remove();
  await makeDue(owner);
  await run();
  expect([ada, ben].map((member) => mailsTo(member).length)).toEqual([1, 1]);
});

longTest("an e-mail is sent again if the mail server was not ready, but not if it refused the e-mail", async () => {
  const owner = await newOrganization(server);
  const ada = await newMember(server, owner.id, "admin");
  await subscribe(owner, ada, (await newView(owner, {})).id);
  answer = "451";
  await makeDue(owner);
  await run();
  expect(await isLeased(owner)).toEqual([{ is_leased: true }]);
  answer = "550";
  await makeDue(owner);
  await run();
  expect(await isLeased(owner)).toEqual([{ is_leased: false }]);
  answer = null;
  await run();
  expect(mailsTo(ada)).toEqual([]);
});

longTest("an e-mail is sent again if the mail server refused the connection or the login", async () => {
  const owner = await newOrganization(server);
  await subscribe(owner, await newMember(server, owner.id, "admin"), (await newView(owner, {})).id);
  greeting = 554;
  await makeDue(owner);
  await run();
  greeting = null;
  expect(await isLeased(owner)).toEqual([{ is_leased: true }]);
  configure({ SMTP_URL: smtpUrl.replace("//", "//someone:wrong@"), SMTP_FROM });
  await makeDue(owner);
  await run();
  configure({ SMTP_URL: smtpUrl, SMTP_FROM });
  expect(await isLeased(owner)).toEqual([{ is_leased: true }]);
});

longTest("an e-mail that is late, on a Monday before six, is followed by one in the next week", async () => {
  const owner = await newOrganization(server);
  await subscribe(owner, await newMember(server, owner.id, "admin"), (await newView(owner, {})).id);
  await makeDue(owner);
  await run(3);
  const nextAt = "SELECT next_at FROM audit_view_emails WHERE organization_id = $1";
  expect(await query(server, "app", nextAt, [owner.id])).toEqual([{ next_at: new Date(emailAfter(thisWeek())) }]);
});

longTest("a view that cannot be read is left out for the week", async () => {
  const owner = await newOrganization(server);
  const ada = await newMember(server, owner.id, "admin");
  await subscribe(owner, ada, (await newView(owner, {})).id);
  const broken = `UPDATE audit_views SET query = '{"status":"none"}' WHERE organization_id = $1`;
  await query(server, "app", broken, [owner.id]);
  await makeDue(owner);
  await run();
  expect(await isLeased(owner)).toEqual([{ is_leased: false }]);
  expect(mailsTo(ada)).toEqual([]);
});

dailyTest("a member who loses write permission, and so could not stop the e-mail, gets none", async () => {
  const owner = await newOrganization(server);
  const ada = await newMember(server, owner.id, "admin");
  await newMember(server, owner.id, "admin");
  await subscribe(owner, ada, (await newView(owner, {})).id);
  await ada.permit("read");
  expect(await isLeased(owner)).toEqual([]);
});

dailyTest("a view that becomes personal is no longer sent to others, nor to other organizations", async () => {
  const [owner, stranger] = [await newOrganization(server), await newOrganization(server)];
  const [ada, mallory] = [await newMember(server, owner.id, "admin"), await newMember(server, stranger.id, "admin")];
  const view = await newView(owner, {});
  await subscribe(owner, ada, view.id);
  await expect(subscribe(stranger, mallory, view.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await owner.admin.put(`${PATH}/${view.id}`, { scope: "personal" });
  await makeDue(owner);
  await run();
  expect([...mailsTo(ada), ...mailsTo(mallory)]).toEqual([]);
});

dailyTest("a person gets e-mails about 20 views, and not one more by two concurrent requests", async () => {
  const owner = await newOrganization(server);
  const ada = await newMember(server, owner.id, "admin");
  const views = [];
  for (let count = 0; count < 21; count++) views.push(await newView(owner, {}, "organization", `View ${count}`));
  const [one, other, ...others] = views;
  for (const { id } of others) await subscribe(owner, ada, id);
  const held = {
    first: `INSERT INTO audit_view_emails (organization_id, user_id, view_id, next_at)
      SELECT organization_id, user_id, $3, now() FROM (
        SELECT * FROM memberships WHERE organization_id = $1 AND user_id = $2 FOR NO KEY UPDATE
      ) AS member`,
    values: [owner.id, ada.userId, one?.id],
    waiting: 1,
  };
  await whileHeld(server, held, () =>
    expect(subscribe(owner, ada, other?.id ?? "")).rejects.toMatchObject({ code: "CONFLICT" }),
  );
});

dailyTest("keys get no e-mail, and without a mail server nobody does", async () => {
  const owner = await newOrganization(server);
  const ada = await newMember(server, owner.id, "admin");
  const view = await newView(owner, {});
  expect(view.weekly_email).toBe(false);
  for (const api of [owner.admin, ada.in(owner.id)]) {
    const refused = await api.put(`${PATH}/${view.id}`, { weekly_email: true });
    expect([refused.status, refused.error.issues?.[0]?.path]).toEqual([400, "weekly_email"]);
  }
  const kept = await owner.admin.put<AuditView>(`${PATH}/${view.id}`, { weekly_email: false });
  expect(kept.data).toEqual(view);
});
