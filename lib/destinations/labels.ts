import type { DestinationState } from "@/lib/destinations/states";

export const destinationStateLabels: Readonly<Record<DestinationState, string>> = {
  unused: "Nothing sent yet",
  working: "Working",
  failing: "Failing",
  paused: "Paused",
};
