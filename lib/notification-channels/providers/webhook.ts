import { createHmac, randomBytes } from "node:crypto";
import type { Message } from "@/lib/notification-channels/providers/message";
import { post } from "@/lib/notification-channels/providers/post";
import type { Circumstances, Sent } from "@/lib/notification-channels/providers/provider";
import { payloadOf } from "@/lib/notification-channels/providers/webhook-payload";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new signing secret in the format of Standard Webhooks. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** `v1,` and the HMAC-SHA256 over id, time and body (Standard Webhooks, "Signature scheme"). */
export function signatureOf(secret: string, id: string, seconds: number, body: string | Buffer): string {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.`).update(body).digest("base64")}`;
}

/** The headers that sign a body at a time in Unix milliseconds: one signature per secret (Standard Webhooks). */
export function signingHeaders(secrets: readonly string[], id: string, at: number, body: string | Buffer) {
  const seconds = Math.floor(at / 1000);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": secrets.map((secret) => signatureOf(secret, id, seconds, body)).join(" "),
  };
}

/**
 * Posts a message according to Standard Webhooks. Its id is the delivery's id, so that receivers can detect duplicates. During a
 * secret rotation both secrets sign. 410 is the receiver's way to unsubscribe, and final like other client errors.
 */
export async function sendWebhook(
  { url, secrets }: { url: string; secrets: readonly string[] },
  message: Message,
  circumstances: Circumstances,
): Promise<Sent> {
  const { id, at } = circumstances;
  const body = JSON.stringify(payloadOf(message));
  return post(url, body, circumstances, signingHeaders(secrets, id, at.getTime(), body));
}
