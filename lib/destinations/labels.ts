import type { Omission } from "@/lib/audit-logs/bundle/read-entries";
import type { DestinationState } from "@/lib/destinations/states";

export const destinationStateLabels: Readonly<Record<DestinationState, string>> = {
  unused: "Nothing sent yet",
  working: "Working",
  failing: "Failing",
  paused: "Paused",
};

export const omissionLabels: Readonly<Record<Omission, string>> = {
  filter: "Left out by the filters",
  expired: "Expired before it was sent",
  missing: "Sealed, but not stored",
};
