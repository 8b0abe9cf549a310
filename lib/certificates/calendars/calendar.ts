import { createHmac, timingSafeEqual } from "node:crypto";
import type * as contract from "@/lib/certificates/calendars/calendar-contract";
import { config, requireSetting } from "@/lib/config";
import type { CertificateCalendar as Row } from "@/lib/db/generated/app/client";
import { API_PREFIX } from "@/lib/http/endpoint";

/** A calendar as the contract shows it. */
export function toCalendar({ id, name, tag, owner, shows, createdAt }: Row): contract.Calendar {
  const kind = shows === "renewals" ? "renewals" : "expirations";
  return { id, name, tag, owner, shows: kind, created_at: createdAt.toISOString() };
}

function signatureOf(id: string): string {
  return createHmac("sha256", requireSetting("SESSION_SECRET"))
    .update(`certificate calendar ${id}`)
    .digest("base64url");
}

/** The URL of a calendar's feed. */
export function feedUrl(id: string): string {
  const path = `${API_PREFIX}/certificates/calendars/${id}/feed?signature=${signatureOf(id)}`;
  return new URL(path, config().PUBLIC_URL).href;
}

/** Whether the signature is ours, compared in constant time. */
export function isSigned(id: string, signature: string): boolean {
  const [given, expected] = [signature, signatureOf(id)].map((text) => Buffer.from(text));
  return (
    given !== undefined &&
    expected !== undefined &&
    given.length === expected.length &&
    timingSafeEqual(given, expected)
  );
}
