import type { Tone } from "@/components/ui/badge";
import type { ChannelState, DeliveryStatus } from "@/lib/notification-channels/contract";
import type { ChannelType } from "@/lib/notification-channels/providers/types";

export const typeWords: Record<ChannelType, string> = {
  email: "E-mail",
  webhook: "Webhook",
  slack: "Slack",
  teams: "Microsoft Teams",
  discord: "Discord",
  pagerduty: "PagerDuty",
  telegram: "Telegram",
  ntfy: "ntfy",
};

export const stateWords: Record<ChannelState, string> = {
  unused: "Not used yet",
  working: "Working",
  failing: "Failing",
  disabled: "Disabled",
};

export const stateTone: Record<ChannelState, Tone> = {
  unused: "neutral",
  working: "good",
  failing: "bad",
  disabled: "warn",
};

export const deliveryWords: Record<DeliveryStatus, string> = { pending: "Pending", sent: "Sent", failed: "Failed" };
export const deliveryTone: Record<DeliveryStatus, Tone> = { pending: "warn", sent: "good", failed: "bad" };
