import type { DnsSettings } from "@/lib/uptime/dns";
import type { PingSettings } from "@/lib/uptime/ping";
import type { TcpSettings } from "@/lib/uptime/tcp";

/** What only one type of monitor has, as stored under the name of its field. */
export interface TypeSettings {
  dns?: DnsSettings;
  tcp?: TcpSettings;
  ping?: PingSettings;
}

/** The settings of a stored monitor that only its type has. */
export function typeSettingsOf({ typeSettings }: { typeSettings: unknown }): TypeSettings {
  return typeSettings as TypeSettings;
}
