import type { Socket } from "node:net";
import { negotiate } from "@/lib/certificates/probe/negotiate";
import { waysToTls } from "@/lib/certificates/probe/protocols";
import type { Target } from "@/lib/certificates/targets";

/** The dialogue of the target's protocol on an open connection, if any, up to where TLS begins. Rejects like `negotiate`. */
export async function beginTls(socket: Socket, target: Target, signal: AbortSignal): Promise<void> {
  const { script } = waysToTls[target.protocol];
  if (script !== undefined) await negotiate(socket, script(target.sni ?? target.host, target.port), signal);
}
