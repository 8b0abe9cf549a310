import type { Tone } from "@/components/ui/badge";
import type { ChannelState, DeliveryStatus } from "@/lib/notification-channels/contract";

export const stateTone: Record<ChannelState, Tone> = {
  unused: "neutral",
  working: "good",
  failing: "bad",
  disabled: "warn",
};

export const deliveryTone: Record<DeliveryStatus, Tone> = { pending: "warn", sent: "good", failed: "bad" };
