import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { SendFailure } from "@/lib/destinations/kinds/send-failure";
import { attemptTimeout } from "@/lib/network/attempt-timeout";
import { failureWords } from "@/lib/network/failure-words";
import { type Guard, guardedLookup, refuseForbiddenAddress } from "@/lib/network/guarded-lookup";
import { serverNameOf } from "@/lib/network/names/server-name-of";

/** For the handshake, and for each wait until the receiver has read more, in milliseconds. */
const IDLE_MS = 15_000;

interface Delivery {
  host: string;
  port: number;
  /** PEM: what is trusted instead of the public roots, and what identifies us. */
  tls: Pick<ConnectionOptions, "ca" | "cert" | "key">;
  frames: readonly string[];
  guard: Guard;
  signal: AbortSignal;
  /** Instead of the usual time without a byte in either direction, in milliseconds. */
  idleMs?: number;
}

/**
 * Writes frames to a verified receiver, and closes. Resolves with the protocol of TLS once the receiver has closed in its turn, which RFC
 * 5425 (4.4) requires after it has read everything; a receiver that closes earlier, resets or stays open is a SendFailure.
 */
export async function deliver({ host, port, tls, frames, guard, signal, idleMs = IDLE_MS }: Delivery): Promise<string> {
  signal.throwIfAborted();
  const socket = open({ host, port, tls, guard }, idleMs);
  return new Promise<string>((resolve, reject) => {
    let protocol = "";
    let isClosing = false;
    const settle = (settled: () => void) => {
      signal.removeEventListener("abort", onAbort);
      socket.destroy();
      settled();
    };
    const fail = (message: string) => settle(() => reject(new SendFailure(message)));
    const onAbort = () => settle(() => reject(signal.reason));
    signal.addEventListener("abort", onAbort, { once: true });
    // Idle time counts bytes in both directions, so that a slow receiver has as long as it reads.
    socket.setTimeout(idleMs, () =>
      fail(isClosing ? "the receiver did not close the connection after the last event" : "no response in time"),
    );
    socket.on("error", (error) => fail(failureWords(error)));
    socket.once("secureConnect", () => {
      protocol = socket.getProtocol() ?? "TLS";
      void writeAll(socket, frames).then(() => {
        isClosing = true;
      });
    });
    // Receivers send nothing; what comes nevertheless is not kept.
    socket.resume();
    socket.once("end", () => {
      if (!socket.writableFinished) fail("the receiver closed the connection before it had everything");
    });
    socket.once("close", () => {
      if (isClosing) settle(() => resolve(protocol));
      else fail("the receiver closed the connection before it had everything");
    });
  });
}

function open(
  { host, port, tls, guard }: Pick<Delivery, "host" | "port" | "tls" | "guard">,
  idleMs: number,
): TLSSocket {
  try {
    refuseForbiddenAddress(host, guard);
    return connect({
      ...{ host, port, ...serverNameOf(host), ...tls, minVersion: "TLSv1.2", lookup: guardedLookup(guard) },
      ...attemptTimeout(idleMs),
    });
  } catch (error) {
    const { name, code } = error as { name?: string; code?: string };
    if (name === "ForbiddenAddress") throw new SendFailure(failureWords(error));
    throw new SendFailure(`a certificate or key of the settings cannot be used (${code ?? "unknown"})`);
  }
}

/** Writes without more in memory than the socket holds, then ends our half. Never ends if the connection breaks. */
async function writeAll(socket: TLSSocket, frames: readonly string[]): Promise<void> {
  for (const frame of frames) {
    if (!socket.write(frame)) await new Promise<void>((resolve) => socket.once("drain", resolve));
  }
  await new Promise<void>((resolve) => socket.end(resolve));
}
