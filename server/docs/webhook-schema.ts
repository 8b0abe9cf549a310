import { PAYLOAD_VERSION, webhookPayloadSchema } from "@/lib/notification-channels/providers/webhook-payload";

export const WEBHOOK_SCHEMA_FILE = `docs/schemas/webhook-v${PAYLOAD_VERSION}.json`;

/** The published JSON Schema of what webhooks receive. */
export function webhookSchema(): string {
  return `${JSON.stringify(webhookPayloadSchema(), null, 2)}\n`;
}
