import { isIP } from "node:net";
import { refuseForbiddenAddress } from "@/lib/network/guarded-lookup";
import { PingFailed, ping } from "@/lib/network/ping";
import { CheckFailure, type CheckSettings, lookup, type ProbeOptions, type Seen } from "@/lib/uptime/checks/outcome";
import { USUAL_PING } from "@/lib/uptime/ping";
import { checkedHost } from "@/lib/uptime/target";

/** The permitted address to ping. Rejects like a connection to the host. */
async function addressOf(host: string, options: ProbeOptions, seen: Seen): Promise<string> {
  refuseForbiddenAddress(host, options);
  if (isIP(host) !== 0) return host;
  const look = lookup(options, seen);
  return new Promise((resolve, reject) => {
    look(host, {}, (error, address) => (error === null ? resolve(String(address)) : reject(error)));
  });
}

/** Pings the target. Resolves with the average round trip in microseconds. Throws CheckFailure or the network's error. */
export async function probePing(
  { target, timeoutSeconds, typeSettings }: CheckSettings,
  options: ProbeOptions,
  seen: Seen,
  signal: AbortSignal,
): Promise<number> {
  const { count, max_loss_percent } = typeSettings.ping ?? USUAL_PING;
  const address = await addressOf(checkedHost("ping", target), options, seen);
  signal.throwIfAborted();
  seen.address = address;
  const pinged = await ping(address, { count, waitSeconds: Math.max(1, timeoutSeconds - count), signal }).catch(
    (error: unknown) => {
      throw error instanceof PingFailed ? new CheckFailure("protocol_error", error.message) : error;
    },
  );
  const { sent, received, averageMs, output } = pinged;
  seen.response = { headers: {}, body: Buffer.from(output) };
  const lost = sent - received;
  if (averageMs === null || lost * 100 > max_loss_percent * sent)
    throw new CheckFailure("packet_loss", `${lost} of ${sent} packets lost`);
  return Math.round(averageMs * 1000);
}
