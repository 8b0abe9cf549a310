import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { getPriority } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { eventById } from "@/e2e/support/servers/databases";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { copyPreparedData } from "@/e2e/support/servers/prepared-data";
import { alive, killNow } from "@/e2e/support/servers/processes";
import { prepareSealwatch as prepare, runStart, startPrepared } from "@/e2e/support/servers/sealwatch";
import { isLong } from "@/e2e/support/tier";
import { dailyTest, longTest } from "@/e2e/support/tier-tests";
import { until } from "@/e2e/support/until";

interface Organization {
  id: string;
  slug: string;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function prepareSealwatch() {
  const prepared = await prepare();
  folders.push(prepared.folder);
  return prepared;
}

// Without a data directory, like a first start.
const server = await startPrepared(await prepare());
afterAll(() => server.destroy());

/** Waits for it: on a busy machine a probe of the databases may take longer than its time limit. */
const isReady = () => until("it is ready", async () => (await fetch(`${server.url}/readyz`)).ok);

/** Settings, and the sentence with which a start refuses them. */
const rarelyRefused: [Record<string, string>, string][] = [
  [{ PORT: "x", LOG_LEVEL: "y" }, "LOG_LEVEL must be one of"],
  [{ TRUSTED_PROXIES: "10.0.0.1/8" }, "use 10.0.0.0/8 instead"],
  [{ PUBLIC_URL: "https://seal.example" }, "PUBLIC_URL https://seal.example is not an address of this machine"],
  [{ DATA_DIR: "package.json/data" }, "DATA_DIR"],
];

// At the same time, because most of them wait: for a port, a lock or a database.
describe.concurrent("a refused start", () => {
  const refused: [Record<string, string>, string][] = [
    [{ PORT: "abc" }, 'PORT must be a whole number from 1 to 65535, not "abc".'],
    [{ DATABASE_URL: "postgresql://u:hunter2@127.0.0.1/x" }, "AUDIT_DATABASE_URL must be set too"],
    [{ HOST: "0.0.0.0" }, "HOST 0.0.0.0 can be reached from outside"],
  ];
  test.each(isLong ? rarelyRefused : refused)(
    "because of %j names the setting, without a stack",
    async (env: Record<string, string>, sentence) => {
      const { folder, env: own } = await prepareSealwatch();
      const { code, stdout, stderr } = await runStart([], { ...own, DATA_DIR: join(folder, "data"), ...env });
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(sentence);
      expect(stderr).not.toMatch(/hunter2|^ +at /m);
    },
  );

  dailyTest("because its port is in use says so", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const { env } = await prepareSealwatch();
    copyPreparedData(env.DATA_DIR ?? "");
    const { code, stderr } = await runStart([], { ...env, PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Port ${port} is in use by another program. Stop that program, or set PORT to a free port.`,
    );
  });

  if (isLong)
    test("because a database does not answer names it, without its password", async () => {
      const { env } = await prepareSealwatch();
      const url = `postgresql://u:hunter2@127.0.0.1:${await lastingPort()}`;
      const { code, stderr } = await runStart([], { ...env, DATABASE_URL: `${url}/a`, AUDIT_DATABASE_URL: `${url}/b` });
      expect(code).toBe(1);
      expect(stderr).toMatch(/DATABASE_URL: the database a at 127\.0\.0\.1:\d+ cannot be used/);
      expect(stderr).not.toContain("hunter2");
    });

  longTest("because secrets are damaged names the file", async () => {
    const { env } = await prepareSealwatch();
    mkdirSync(env.DATA_DIR ?? "");
    writeFileSync(join(env.DATA_DIR ?? "", "secrets.json"), "{}");
    const { code, stderr } = await runStart([], env);
    expect(code).toBe(1);
    expect(stderr).toContain("secrets.json is damaged");
  });

  longTest("because of unknown arguments names them", async () => {
    const { env } = await prepareSealwatch();
    const { code, stderr } = await runStart(["--fast"], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Unknown arguments: --fast")]);
  });

  if (isLong)
    test("because another one uses its data says so", async () => {
      const { env } = await prepareSealwatch();
      const { code, stderr } = await runStart([], { ...env, DATA_DIR: server.dataDir });
      expect(code).toBe(1);
      expect(stderr).toContain(`Sealwatch is already running with DATA_DIR ${server.dataDir}`);
      await isReady();
    });

  if (isLong)
    test("because another web process uses its databases gives the reason", async () => {
      const { env } = await prepareSealwatch();
      const { app, audit } = server.databases;
      const { code, stderr } = await runStart([], { ...env, DATABASE_URL: app, AUDIT_DATABASE_URL: audit });
      expect(code).toBe(1);
      expect(stderr).toContain("Another Sealwatch web process uses this database. Rate limits are counted in memory");
      await isReady();
    });
});

describe("an installation", () => {
  dailyTest("prints only that it is ready and how to sign in on standard output", () => {
    const { email, password } = server.owner;
    const line = `Sealwatch is ready at ${server.url} — sign in as ${email} with password ${password}\n`;
    expect(server.output().stdout).toBe(line);
  });

  dailyTest("is healthy and ready, uncached", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      const answer = await until(`${path} answers 200`, async () => {
        const found = await fetch(server.url + path);
        return found.status === 200 && found;
      });
      expect(answer.headers.get("cache-control")).toBe("no-store");
      const body = await answer.json();
      expect(body).toMatchObject({
        status: "ok",
        parts: { process: { status: "ok", uptime_seconds: expect.any(Number) } },
      });
      for (const part of Object.values(body.parts)) expect(part).toMatchObject({ status: "ok" });
      const names =
        path === "/readyz" ? ["database", "audit_database", "outbox", "sealed_log", "rate_limits"] : ["event_loop"];
      expect(Object.keys(body.parts)).toEqual(["process", ...names]);
    }
  });

  let requestId = "";

  dailyTest("lets requests go before the worker's jobs", () => {
    const { web = 0, worker = 0 } = server.pids();
    expect(getPriority(worker)).toBe(Math.max(10, getPriority(web)));
  });

  // In both tiers, because what follows needs its organization.
  test("finishes an open request when it stops, and leaves no process behind", async () => {
    const { id } = await server.cli<Organization>("org", "create", "--name", "In flight");
    const named = ["--org", id, "--name", "K", "--permission", "admin"];
    const key = await server.cli<{ secret: string }>("key", "create", ...named);
    const body = '{"name":"Late"}';
    const head = `POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = connect(server.port, "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (text) => (received += text));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await new Promise<void>((resolve) => socket.write(head + body.slice(0, 5), () => resolve()));
    await until("the server took the request up", async () => (await fetch(`${server.url}/healthz`)).ok);
    const pids = server.allPids();
    const stopped = server.stop();
    await until("no new connection is accepted", () =>
      fetch(`${server.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    socket.write(body.slice(5));
    await closed;
    await stopped;
    expect(received).toContain("HTTP/1.1 201 Created");
    expect(alive(pids)).toEqual([]);
    requestId = /x-request-id: (\S+)/i.exec(received)?.[1] ?? "";
  });

  test("starts again with its data and the event of that request, without building again", async () => {
    const builtAt = () => [".next/BUILD_ID", "dist/stamp.json"].map((file) => statSync(file).mtimeMs);
    const before = builtAt();
    await server.start();
    expect(builtAt()).toEqual(before);
    const organizations = await server.cli<Organization[]>("org", "list");
    expect(organizations.map(({ slug }) => slug)).toContain("in-flight");
    expect(await eventById(server, requestId)).toMatchObject({ status_code: 201, flags: ["key_created"] });
  });

  if (isLong)
    test("runs a command from a new bundle if the existing one is of other sources", async () => {
      const stamp = () => JSON.parse(readFileSync("dist/stamp.json", "utf8"));
      const { files, digest } = stamp();
      writeFileSync("dist/stamp.json", JSON.stringify({ files, digest: "of other sources" }));
      expect(await server.cli<Organization[]>("org", "list")).not.toEqual([]);
      expect(stamp().digest).toBe(digest);
    });

  longTest.each([["everything"], ["supervisor"], ["supervisor, then web"]])(
    "starts again after kill -9 of %s",
    async (what) => {
      const before = server.allPids();
      if (what === "everything") for (const pid of before) killNow(pid);
      else server.kill("supervisor");
      if (what.endsWith("web")) for (const pid of before.slice(0, 3)) killNow(pid);
      await server.start();
      await isReady();
      expect(await server.cli<Organization[]>("org", "list")).not.toEqual([]);
      await until("nothing of before is left", () => {
        const { postgres } = server.pids();
        return alive(before).filter((pid) => pid !== postgres && !server.allPids().includes(pid)).length === 0;
      });
    },
  );
});
