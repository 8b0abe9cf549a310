import { sealContextOf as ofDestination } from "@/lib/destinations/secrets";
import { sealContextOf as ofChannel } from "@/lib/notification-channels/channel";
import { sealContextOf as ofMonitor } from "@/lib/uptime/secrets";

export interface SealedTable {
  /** A table of the monitoring database with the columns `organization_id`, `id` and `secrets`. */
  table: string;
  contextOf: (place: { organizationId: string; id: string }) => string;
}

/** Every table with a column that ENCRYPTION_KEY encrypts. A new one needs an entry here. */
export const sealedTables: readonly SealedTable[] = [
  { table: "notification_channels", contextOf: ofChannel },
  { table: "destinations", contextOf: ofDestination },
  { table: "uptime_monitors", contextOf: ofMonitor },
];
