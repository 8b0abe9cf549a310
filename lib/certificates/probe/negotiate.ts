import type { Socket } from "node:net";
import { converse, type Script } from "@/lib/certificates/probe/dialogue";
import { HandshakeError } from "@/lib/certificates/probe/handshake";

/** Runs a script on a connection until TLS begins. Rejects with Refusal, HandshakeError, a system error or the abort reason. */
export function negotiate(socket: Socket, script: Script, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const receive = converse(script);
    const settle = (error: unknown) => {
      signal.removeEventListener("abort", stop);
      socket.removeAllListeners().pause();
      if (error === null) return resolve();
      socket.on("error", () => {}).destroy();
      reject(error);
    };
    const step = (bytes: Uint8Array) => {
      try {
        const { say, done } = receive(bytes);
        if (say.length > 0) socket.write(say);
        if (done) settle(null);
      } catch (error) {
        settle(error);
      }
    };
    const stop = () => settle(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) return stop();
    socket.on("data", step).once("error", settle);
    socket.once("close", () => settle(new HandshakeError("connection_closed", null)));
    step(new Uint8Array());
  });
}
