import { createHash } from "node:crypto";
import { concernsMail, mayBeSent, type Refusal, sendMail } from "@/lib/network/mail";
import { emailHtml } from "@/lib/notification-channels/providers/email-html";
import { emailText } from "@/lib/notification-channels/providers/email-text";
import { type Message, stateWord } from "@/lib/notification-channels/providers/message";
import { failureOf } from "@/lib/notification-channels/providers/post";
import { failed, postponed, type Send, type Sent } from "@/lib/notification-channels/providers/provider";
import type { SettingsOf } from "@/lib/notification-channels/providers/settings";

/** The mail server's error: 5xx replies are final, and so is a rejected password. */
function refusalOf(error: unknown): Sent {
  const { code, responseCode, response = "" } = error as { code?: string; responseCode?: number; response?: string };
  if (responseCode !== undefined) {
    return failed(`the mail server replied ${response.slice(0, 200) || responseCode}`, responseCode >= 500);
  }
  if (code === "EENVELOPE" || code === "EAUTH") return failed("the mail server rejected the message", true);
  if (code === "ETLS") return failed("the mail server does not support TLS, or its certificate was rejected", false);
  return failureOf(error);
}

/** Milliseconds between attempts while the installation's own mail server does not work: the age of the message, within limits. */
const OWN_RETRY_MS = { least: 10_000, most: 1_800_000 };

/** The installation's mail server sends nothing for anybody: it is away, or refuses our credentials or our sender. */
function oursFailed(message: Message, reason: string): Sent {
  const age = Date.now() - Date.parse(message.at);
  return postponed(message, reason, Math.min(Math.max(age, OWN_RETRY_MS.least), OWN_RETRY_MS.most));
}

/** Enough for a server that refuses unknown senders at first. The others get the message by each. */
const MAX_PARTIAL_ATTEMPTS = 3;

/** A recipient that is refused for now gets the message by another attempt; one that is refused for good, or still, is noted. */
function sentExceptTo(refused: readonly Refusal[], attempt: number): Sent {
  const isForNow = ({ responseCode = 0 }: Refusal) => responseCode < 500;
  const one = refused.find(isForNow) ?? refused[0];
  if (one === undefined) return { ok: true };
  const reason = `the mail server refused ${one.recipient ?? "a recipient"}: ${(one.response ?? "").slice(0, 200) || one.responseCode}`;
  if (!isForNow(one) || attempt >= MAX_PARTIAL_ATTEMPTS) return { ok: true, warning: reason };
  return { ok: false, reason, isFinal: false, retryAfterMs: null, isPartlySent: true };
}

/** Sends by SMTP. The Message-ID is the delivery's id, so that receivers detect duplicates; messages of one key form a thread. */
export const sendEmail: Send<SettingsOf["email"]> = async ({ to, from, smtp_url }, message, circumstances) => {
  const { id, guard, channel } = circumstances;
  const { organization } = message;
  const mail = {
    to,
    id,
    subject: `${stateWord(message)}: ${message.title}`,
    text: emailText(message, channel),
    // A checkpoint is copied from its text.
    ...(message.kind !== "checkpoint" && { html: emailHtml(message, channel) }),
    ...(organization && {
      list: { id: `alerts.${organization.slug}`, name: `Sealwatch alerts of ${organization.name}` },
    }),
    thread: createHash("sha256").update(message.key).digest("hex").slice(0, 32),
  };
  const own = smtp_url !== null && from !== null ? { url: smtp_url, from, guard } : undefined;
  try {
    return sentExceptTo(await sendMail(mail, own), circumstances.attempt);
  } catch (error) {
    const refusal = refusalOf(error);
    // What may have been sent is not repeated for days: some receivers show every copy.
    const isOurs = own === undefined && !concernsMail(error) && !mayBeSent(error);
    return isOurs && !refusal.ok ? oursFailed(message, refusal.reason) : refusal;
  }
};
