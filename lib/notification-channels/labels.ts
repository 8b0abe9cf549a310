import type { ChannelState, DeliveryStatus } from "@/lib/notification-channels/contract";
import type { ChannelType } from "@/lib/notification-channels/providers/types";

export const channelTypeLabels: Readonly<Record<ChannelType, string>> = {
  email: "E-mail",
  webhook: "Webhook",
  slack: "Slack",
  teams: "Microsoft Teams",
  discord: "Discord",
  pagerduty: "PagerDuty",
  telegram: "Telegram",
  ntfy: "ntfy",
};

export const channelStateLabels: Readonly<Record<ChannelState, string>> = {
  unused: "Not used yet",
  working: "Working",
  failing: "Failing",
  disabled: "Disabled",
};

export const deliveryStatusLabels: Readonly<Record<DeliveryStatus, string>> = {
  pending: "Pending",
  sent: "Sent",
  failed: "Failed",
};
