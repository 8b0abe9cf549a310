import type { Transporter } from "nodemailer";
import { config, isLoopback, requireSetting } from "@/lib/config";
import { logOutage } from "@/lib/log";
import { isForbidden } from "@/lib/network/guard";
import { ForbiddenAddress, type Guard } from "@/lib/network/guarded-lookup";
import { serverNameOf } from "@/lib/network/names/server-name-of";
import { resolveHost } from "@/lib/network/resolve";
import { Outage } from "@/lib/outage";
import { processSingleton } from "@/lib/process-singleton";

/** Without a byte from the server. */
const TIMEOUT_MS = 10_000;
/** For one mail. A server that says something every few seconds would keep its sender for as long as it likes. Less than any lease. */
const DEADLINE_MS = 30_000;

const OUTAGE = { away: "the mail server accepts no e-mails", back: "the mail server accepts e-mails again" };

export interface Mail {
  to: readonly string[];
  subject: string;
  text: string;
  /** The same for programs that show HTML. */
  html?: string;
  /** The list to which it belongs (RFC 2919): the start of its id, which the host of PUBLIC_URL completes, and its name. */
  list?: { id: string; name: string };
  /** Before the `@` of the Message-ID: the same for every attempt, so that mailboxes can detect duplicates. */
  id: string;
  /** The same for mails of one conversation, so that mail programs group them. */
  thread?: string;
}

/** A custom mail server. Like all user-defined hosts, it must be at an allowed address. */
interface MailServer {
  url: string;
  from: string;
  guard: Guard;
}

/** Whether this installation has its own mail server. */
export function canMail(): boolean {
  return config().SMTP_URL !== undefined;
}

async function permittedAddress(host: string, { allowedNetworks, resolve = resolveHost }: Guard): Promise<string> {
  const addresses = await resolve(host, allowedNetworks);
  const address = addresses.find((each) => !isForbidden(each, allowedNetworks));
  if (address === undefined) throw new ForbiddenAddress(host);
  return address;
}

/** A connection to the SMTP server; passwords are never sent unencrypted, except to this machine. */
async function openTransport(address: string, guard?: Guard): Promise<Transporter> {
  const { protocol, hostname, port, username, password } = new URL(address);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const secure = protocol === "smtps:";
  const auth = username === "" ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  // Few processes send e-mail.
  const { createTransport } = await import("nodemailer");
  return createTransport({
    // Connect to the address that was checked; the certificate must still match the name.
    host: guard ? await permittedAddress(host, guard) : host,
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    tls: serverNameOf(host),
    ...(auth && { auth, requireTLS: !secure && !isLoopback(host) }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Connects to the installation's SMTP server and logs in, without sending. Rejects with nodemailer's error. */
export async function verifyMailServer(): Promise<void> {
  const transport = await openTransport(requireSetting("SMTP_URL"));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** Why the server refused one of several recipients. */
export interface Refusal {
  recipient?: string;
  response?: string;
  responseCode?: number;
}

/**
 * Sends a mail with the installation's SMTP server, whose outages it logs, or the given server. Resolves with the recipients that the server
 * refused, if it accepted others. Rejects with ForbiddenAddress, or with nodemailer's error (`code`, `responseCode`): `EABORT` after the
 * deadline.
 */
export async function sendMail(mail: Mail, server?: MailServer, deadlineMs = DEADLINE_MS): Promise<Refusal[]> {
  if (server) return deliver(mail, server, deadlineMs);
  const outage = processSingleton("mail.outage", () => new Outage());
  try {
    const refused = await deliver(mail, undefined, deadlineMs);
    logOutage(outage.worked(performance.now()), OUTAGE);
    return refused;
  } catch (error) {
    const now = performance.now();
    logOutage(concernsMail(error) ? outage.worked(now) : outage.failed(now), OUTAGE, error);
    throw error;
  }
}

async function deliver(
  { to, subject, text, html, list, id, thread }: Mail,
  server: MailServer | undefined,
  deadlineMs: number,
): Promise<Refusal[]> {
  const { SMTP_URL, SMTP_FROM, PUBLIC_URL } = config();
  const [address, from] = server ? [server.url, server.from] : [SMTP_URL, SMTP_FROM];
  if (address === undefined || from === undefined) throw new Error("there is no SMTP server: SMTP_URL is not set");
  const transport = await openTransport(address, server?.guard);
  const here = new URL(PUBLIC_URL).hostname;
  try {
    const { rejectedErrors = [] } = (await transport.sendMail({
      from,
      // As they are: text would be parsed, and may contain a list.
      to: to.map((recipient) => ({ name: "", address: recipient })),
      subject,
      text,
      ...(html !== undefined && { html }),
      ...(list && { list: { id: { url: `${list.id}.${here}`, comment: list.name } } }),
      messageId: `<${id}@${here}>`,
      ...(thread !== undefined && { references: `<${thread}@${here}>` }),
      headers: { "Auto-Submitted": "auto-generated" },
      signal: AbortSignal.timeout(deadlineMs),
    })) as { rejectedErrors?: Refusal[] };
    return rejectedErrors;
  } finally {
    transport.close();
  }
}

/** Whether the mail server refused the recipients or the content of a mail, as opposed to any mail from us: credentials and sender. */
export function concernsMail(error: unknown): boolean {
  const { code, command } = error as { code?: string; command?: string };
  return (code === "EENVELOPE" || code === "EMESSAGE") && command !== "MAIL FROM";
}

/** Whether a mail that failed may have been sent: time was up, or the connection was lost, when the server may have had all of it. */
export function mayBeSent(error: unknown): boolean {
  const { code, timeoutType, message = "" } = error as { code?: string; timeoutType?: string; message?: string };
  return (
    code === "EABORT" || timeoutType === "SOCKET_TIMEOUT" || (code === "ECONNECTION" && message.includes("closed"))
  );
}

/** Whether the mail server will never accept this mail, as opposed to any from us. */
export function isRefused(error: unknown): boolean {
  const { responseCode = 0 } = error as { responseCode?: number };
  return concernsMail(error) && responseCode >= 500;
}
