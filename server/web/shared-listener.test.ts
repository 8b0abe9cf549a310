import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { afterEach, expect, test } from "vitest";
import { freePort } from "@/server/port";
import { SharedListener } from "@/server/web/shared-listener";

const CONNECTIONS = 40;
/** A web process that answers with its process id, and waits before it reads the next connection. */
const WEB = `
import { createServer } from "node:http";
import { receiveConnections } from "@/server/web/shared-listener";
const server = createServer((_, response) => response.end(String(process.pid)));
server.on("connection", () => { for (const until = performance.now() + 20; performance.now() < until; ); });
receiveConnections(server);
`;

const processes: ChildProcess[] = [];
afterEach(async () => {
  for (const child of processes.splice(0)) if (child.kill("SIGKILL")) await once(child, "exit");
});

async function startWeb(listener: SharedListener): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", WEB], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  processes.push(child);
  await once(child, "message");
  listener.add(child);
  return child;
}

/** Sends a request on its own connection; resolves to the id of the process that answered. */
function ask(port: number): { connected: Promise<unknown>; answered: Promise<string> } {
  const sent = request({ port, host: "127.0.0.1", agent: false });
  const connected = once(sent, "socket").then(([socket]) => once(socket, "connect"));
  connected.catch(() => {});
  const answered = new Promise<string>((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", (response) => response.setEncoding("utf8").on("data", resolve));
  });
  sent.end();
  return { connected, answered };
}

async function listen(): Promise<{ listener: SharedListener; port: number }> {
  const port = await freePort();
  const listener = new SharedListener();
  await listener.listen(port, "127.0.0.1");
  return { listener, port };
}

test("connections go to the processes in turn, and all connections accepted before a stop are answered", async () => {
  const { listener, port } = await listen();
  await Promise.all([startWeb(listener), startWeb(listener)]);
  const asked = Array.from({ length: CONNECTIONS }, () => ask(port));
  await Promise.all(asked.map(({ connected }) => connected));
  await listener.close();
  const answers = await Promise.all(asked.map(({ answered }) => answered));
  for (const { pid } of processes) expect(answers.filter((answer) => answer === String(pid)).length).toBeGreaterThan(5);
  await expect(ask(port).answered).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("a connection waits for the first process, and goes to another process if its own dies before it takes it", async () => {
  const { listener, port } = await listen();
  const early = ask(port);
  const first = await startWeb(listener);
  expect(await early.answered).toBe(String(first.pid));
  first.kill("SIGSTOP");
  const asked = Array.from({ length: 5 }, () => ask(port));
  await Promise.all(asked.map(({ connected }) => connected));
  first.kill("SIGKILL");
  const second = await startWeb(listener);
  const answers = await Promise.all(asked.map(({ answered }) => answered));
  expect(new Set(answers)).toEqual(new Set([String(second.pid)]));
  await listener.close();
});
