import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { LARGEST } from "@/bench/audit/events";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { db } from "@/lib/db/app";
import type { Destination } from "@/lib/destinations/contract";
import { createDestination } from "@/lib/destinations/create";
import { getDestination } from "@/lib/destinations/get";
import { systemPrincipal } from "@/lib/http/principal";

/** Starts a receiver on this machine, in a process of its own. */
export async function startSink(args: string[] = []): Promise<{ sink: ChildProcess; url: string }> {
  const sink = spawn(process.execPath, ["bench/streams/sink.mjs", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(sink.stdout, "data")) as [Buffer];
  return { sink, url: `http://127.0.0.1:${port.toString().trim()}` };
}

/** Creates a destination of the largest organization that begins with the oldest event, or now. */
export async function createSender(
  url: string,
  start: "oldest" | "now" = "oldest",
): Promise<() => Promise<Destination>> {
  const principal = systemPrincipal(LARGEST);
  await db().destination.deleteMany({ where: { organizationId: LARGEST } });
  const input = { type: "https", name: "Sink", settings: { url }, secrets: {}, format: undefined, query: {} } as const;
  const { id } = await withAuditEvent({ action: "destination.create", principal }, () =>
    createDestination(principal, { ...input, start }),
  );
  return () => getDestination(principal, { id });
}
