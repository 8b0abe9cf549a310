import type { z } from "zod";
import type { RecordedFields } from "@/lib/audit-logs/write/changes";
import { db, type Transaction } from "@/lib/db/app";
import type { NotificationChannel as Row } from "@/lib/db/generated/app/client";
import { invalid, invalidFields, notFound } from "@/lib/http/errors";
import { issuesOf } from "@/lib/http/input";
import { canMail } from "@/lib/network/mail";
import type { ChannelState, NotificationChannel } from "@/lib/notification-channels/contract";
import type { OpenChannel } from "@/lib/notification-channels/providers/send";
import { secretFields, settingsOf } from "@/lib/notification-channels/providers/settings";
import type { ChannelType } from "@/lib/notification-channels/providers/types";
import {
  openStoredSecrets,
  recordedSecrets,
  recordedSettings,
  type StoredSecrets,
  secretColumns,
  signingSecretsAt,
} from "@/lib/notification-channels/stored-secrets";

/** The error for a second one with the same name. */
export const SAME_NAME = "A channel with this name already exists.";

/** The context in which a channel's secrets are sealed: they open nowhere else. */
export const sealContextOf = ({ organizationId, id }: Pick<Row, "organizationId" | "id">) =>
  `notification-channel:${organizationId}:${id}`;

/** The state of a channel for people. */
export function stateOf({
  enabled,
  lastSentAt,
  lastFailedAt,
}: Pick<Row, "enabled" | "lastSentAt" | "lastFailedAt">): ChannelState {
  if (!enabled) return "disabled";
  if (lastFailedAt !== null && (lastSentAt === null || lastFailedAt > lastSentAt)) return "failing";
  return lastSentAt === null ? "unused" : "working";
}

/** A channel as the contract shows it. */
export function toNotificationChannel(row: Row): NotificationChannel {
  return {
    id: row.id,
    name: row.name,
    type: row.type as ChannelType,
    settings: row.settings as Record<string, unknown>,
    secrets: row.secretFields,
    state: stateOf(row),
    disabled_reason: row.disabledReason,
    last_sent_at: row.lastSentAt?.toISOString() ?? null,
    last_failed_at: row.lastFailedAt?.toISOString() ?? null,
    last_error: row.lastError,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** The fields of a channel whose changes are recorded. */
export function recordedChannel(row: Row): RecordedFields {
  return {
    name: row.name,
    type: row.type,
    enabled: row.enabled,
    disabled_reason: row.disabledReason,
    settings: { ...recordedSettings(row.settings), ...recordedSecrets(row.secrets, sealContextOf(row)) },
  };
}

/** One channel of the organization. Throws 404. */
export async function readChannelRow(
  organizationId: string,
  id: string,
  tx: Pick<Transaction, "notificationChannel"> = db(),
): Promise<Row> {
  const row = await tx.notificationChannel.findUnique({ where: { organizationId_id: { organizationId, id } } });
  if (row === null) throw notFound();
  return row;
}

/** The columns of a channel that sending needs. */
export type SendingChannel = Pick<
  Row,
  "organizationId" | "id" | "name" | "type" | "settings" | "secrets" | "secretFields"
>;

/** A channel's secrets. Throws if it has any and they were sealed with another ENCRYPTION_KEY. */
function openSecrets(row: SendingChannel): StoredSecrets {
  if (row.secretFields.length === 0 && row.type !== "webhook") return { fields: {}, signing: [] };
  return openStoredSecrets(row.secrets, sealContextOf(row));
}

/** A channel that can send at `at`. Throws like `openSecrets`. */
export function openChannel(row: SendingChannel, at: Date): OpenChannel {
  const secrets = openSecrets(row);
  return {
    type: row.type as ChannelType,
    settings: { ...(row.settings as Record<string, unknown>), ...secrets.fields },
    signingSecrets: signingSecretsAt(secrets, at.getTime()),
  };
}

/** Splits settings into the public columns and the sealed column. */
export function settingsColumns(
  place: Pick<Row, "organizationId" | "id">,
  type: ChannelType,
  settings: Record<string, unknown>,
  signing: StoredSecrets["signing"],
) {
  const isSecret = (name: string) => secretFields[type].includes(name);
  const entries = Object.entries(settings);
  const fields = Object.fromEntries(entries.filter(([name]) => isSecret(name)));
  return {
    settings: Object.fromEntries(entries.filter(([name]) => !isSecret(name))) as Record<string, string>,
    ...secretColumns({ fields, signing }, sealContextOf(place)),
  };
}

/** Validates the settings of a channel type. Throws 400 naming each as `settings.…`. */
export function parseSettings(type: ChannelType, settings: Record<string, unknown>): Record<string, unknown> {
  const parsed = (settingsOf[type] as z.ZodType).safeParse(settings);
  if (!parsed.success) {
    throw invalidFields(issuesOf(parsed.error).map(({ path, message }) => ({ path: `settings.${path}`, message })));
  }
  return parsed.data as Record<string, unknown>;
}

/** Rejects an e-mail channel without a mail server. Throws 400. */
export function requireMailServer(type: ChannelType, settings: Record<string, unknown>): void {
  if (type !== "email" || (settings.smtp_url ?? null) !== null || canMail()) return;
  const message = "is required: this installation has no SMTP server (SMTP_URL)";
  throw invalid("settings.smtp_url", message);
}
