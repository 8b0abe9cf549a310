import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { type RawAnswer, rawRequest } from "@/e2e/support/raw";
import { eventById, query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { NOBODY } from "@/lib/ids";

const CONNECTIONS = 2_000;
/** More than any limit on a silent connection. */
const TIMEOUT_MS = 100_000;

let server: Sealwatch;
let organization: Organization;

beforeAll(async () => {
  server = await startSealwatch({ TRUSTED_PROXIES: "127.0.0.1/32" });
  organization = await newOrganization(server);
});
afterAll(() => server.destroy());

/** A connection that has sent these bytes, its received data, and whether the server closed it. */
interface Client {
  socket: Socket;
  received: () => string;
  ended: () => boolean;
}

async function open(bytes = ""): Promise<Client> {
  const socket = connect(server.port, "127.0.0.1");
  let received = "";
  let ended = false;
  socket.setEncoding("latin1").on("data", (text) => (received += text));
  for (const event of ["end", "error", "close"] as const) socket.on(event, () => (ended = true));
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  if (bytes !== "") await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  return { socket, received: () => received, ended: () => ended };
}

/** The client ports of all connections that the server holds open, even with unread data. Linux only. */
function connected(): Set<number> {
  const port = server.port.toString(16).toUpperCase().padStart(4, "0");
  const line = new RegExp(`:${port} [0-9A-F]+:([0-9A-F]{4}) 01 `, "g");
  return new Set(
    [...readFileSync("/proc/net/tcp", "utf8").matchAll(line)].map(([, hex = ""]) => Number.parseInt(hex, 16)),
  );
}

const authorized = () => `Host: x\r\nAuthorization: Bearer ${organization.adminKey.secret}\r\n`;

describe("slow clients are disconnected, and all others are served meanwhile", () => {
  test("slow headers and bodies, silence, and a client that stops reading", async () => {
    const silent = await open();
    const headers = await open("GET /api/v1/api-keys?slow=headers HTTP/1.1\r\nHost: x\r\n");
    const body = await open(`POST /api/v1/api-keys?slow=body HTTP/1.1\r\n${authorized()}Content-Length: 1000\r\n\r\n{`);
    const idle = await open(`GET /api/v1/api-keys?limit=1 HTTP/1.1\r\n${authorized()}\r\n`);
    // Responses that fill every buffer: the listed requests had paths of maximum length.
    const path = `/${"x".repeat(15_000)}`;
    for (let n = 0; n < 60; n++) await organization.admin.get(path);
    const reader = await open();
    reader.socket.pause();
    const list = `GET /api/v1/audit-logs?limit=200 HTTP/1.1\r\n${authorized()}\r\n`;
    reader.socket.write(list.repeat(28));

    const trickle = setInterval(() => {
      headers.socket.write("X: y\r\n");
      body.socket.write(" ");
    }, 500);
    const other = await organization.newKey();
    let served = 0;
    try {
      await until(
        "the slow ones were ended",
        async () => {
          if ((await other.api.get("/nowhere")).status < 500) served++;
          return [silent, headers, body, idle].every(({ ended }) => ended());
        },
        TIMEOUT_MS,
      );
    } finally {
      clearInterval(trickle);
    }
    expect(served).toBeGreaterThan(10);
    expect(silent.received()).not.toContain("200 OK");
    expect(headers.received()).toContain("HTTP/1.1 400 Bad Request");
    expect(JSON.parse(headers.received().split("\r\n\r\n")[1] ?? "")).toMatchObject({
      error: { code: "INVALID_REQUEST", message: "The request did not arrive in time." },
    });
    const id = /x-request-id: (\S+)/i.exec(headers.received())?.[1] ?? "";
    expect(await eventById(server, id)).toMatchObject({
      organization_id: NOBODY,
      method: "GET",
      query: "slow=headers",
      status_code: 400,
    });
    const cutOff = await until("the slow body is on record", async () => {
      const text = "SELECT organization_id, status_code, error_code FROM audit_events WHERE query = 'slow=body'";
      const rows = await query(server, "audit", text);
      return rows.length > 0 && rows;
    });
    const expected = { organization_id: organization.id, status_code: 499, error_code: "CLIENT_CLOSED_REQUEST" };
    expect(cutOff).toEqual([expected]);
    expect(idle.received()).toContain("HTTP/1.1 200 OK");

    const port = reader.socket.localPort ?? 0;
    expect(reader.ended()).toBe(false);
    await until("the reader that stopped was ended", () => !connected().has(port), TIMEOUT_MS);
    reader.socket.destroy();
  });

  test(`${CONNECTIONS} connections that say nothing`, async () => {
    const { web } = server.pids();
    const clients: Client[] = [];
    for (let n = 0; n < CONNECTIONS; n += 200) {
      clients.push(...(await Promise.all(Array.from({ length: 200 }, () => open()))));
    }
    const isOurs = new Set(clients.map(({ socket }) => socket.localPort ?? 0));
    const held = () => [...connected()].filter((port) => isOurs.has(port)).length;
    expect(held()).toBe(CONNECTIONS);
    const other = await organization.newKey();
    const answers = await Promise.all(Array.from({ length: 50 }, () => other.api.get("/api-keys?limit=1")));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    try {
      await until("all of them were ended", () => held() === 0, TIMEOUT_MS);
    } finally {
      for (const { socket } of clients) socket.destroy();
    }
    expect(server.pids().web).toBe(web);
  });
});

describe("a flood of headers", () => {
  test("within the limit hides none of them", async () => {
    const flood = "a:\r\n".repeat(2_500);
    const bytes = `GET /api/v1/nowhere HTTP/1.1\r\n${flood}${authorized()}X-Forwarded-For: 192.0.2.7\r\n\r\n`;
    const answer = await rawRequest(server, bytes);
    expect(answer?.status).toBe(404);
    expect(await eventById(server, answer?.headers["x-request-id"] ?? "")).toMatchObject({
      organization_id: organization.id,
      ip_address: "192.0.2.7",
    });
  });

  test("over the limit is refused once on every connection, and others are served meanwhile", async () => {
    const bytes = `GET /api/v1/nowhere?flood HTTP/1.1\r\n${"abcd: efgh\r\n".repeat(40_000)}`;
    const other = await organization.newKey();
    const [served, ...floods] = await Promise.all([
      other.api.get("/api-keys"),
      ...Array.from({ length: 100 }, () => rawRequest(server, bytes)),
    ]);
    expect(served.status).toBe(200);
    const statuses = floods.map((answer) => (answer as RawAnswer | undefined)?.status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(70);
    const counts = await query(
      server,
      "audit",
      "SELECT status_code, count(*)::integer FROM audit_events WHERE query = 'flood' GROUP BY status_code ORDER BY 1",
    );
    expect(counts).toEqual([
      { status_code: 400, count: 30 },
      { status_code: 429, count: 70 },
    ]);
  });
});
