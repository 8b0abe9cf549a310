import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { newAddress } from "@/e2e/support/api";
import { newOrganization } from "@/e2e/support/organization";
import { type RawAnswer, rawRequest } from "@/e2e/support/raw";
import { eventById, eventsOf, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import { NOBODY, newId } from "@/lib/ids";

const server = sharedServer();
const START = "GET /api/v1/api-keys?x=1 HTTP/1.1\r\nHost: x\r\n";

async function expectRefusal(answer: RawAnswer | undefined, method: string): Promise<void> {
  expect(answer?.status).toBe(400);
  const requestId = answer?.headers["x-request-id"] ?? "";
  expect(JSON.parse(answer?.body ?? "")).toEqual({
    error: { code: "INVALID_REQUEST", message: expect.any(String), request_id: requestId },
  });
  expect(answer?.headers).toMatchObject({
    "x-ratelimit-limit": "30",
    "cache-control": "no-store",
    connection: "close",
  });
  expect(await eventById(server, requestId)).toMatchObject({
    organization_id: NOBODY,
    method,
    path: "/api/v1/api-keys",
    query: "x=1",
    status_code: 400,
    error_code: "INVALID_REQUEST",
    ip_address: "127.0.0.1",
  });
}

describe("malformed requests are refused in the contract's shape, and recorded once", () => {
  const cases: [string, string, string?][] = [
    ["a header without a colon", `${START}b ad\r\n\r\n`],
    ["a NUL in a header", `${START}Authorization: Bearer \0\r\n\r\n`],
    ["more than 16 KiB of headers", `${START}X: ${"x".repeat(20_000)}\r\n\r\n`],
    ["a length that is not a number", `${START.replace("GET", "POST")}Content-Length: abc\r\n\r\n`, "POST"],
    [
      "a length and chunks",
      `${START.replace("GET", "PUT")}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n`,
      "PUT",
    ],
    ["an unknown method", `${START.replace("GET", "FOO")}\r\n`, "FOO"],
    ["a method in small letters", `${START.replace("GET", "get")}\r\n`, "get"],
    ["empty lines before the request line", `\r\n\n\r\n${START}b ad\r\n\r\n`],
    ["a version that does not exist", `${START.replace("1.1", "9.9")}\r\n`],
  ];

  test.each(cases)("%s", async (_, bytes, method = "GET") => {
    await expectRefusal(await rawRequest(server, Buffer.from(bytes, "latin1")), method);
  });

  test("headers that grow too large after the first packet", async () => {
    const { hostname, port } = new URL(server.url);
    const answer = await new Promise<RawAnswer>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(START));
      let text = "";
      socket.on("data", (chunk) => (text += chunk));
      socket.once("error", reject);
      socket.once("close", () => {
        const [head = "", body = ""] = text.split("\r\n\r\n");
        const headers = head.split("\r\n").map((line) => line.toLowerCase().split(": "));
        const status = Number(head.split(" ")[1]);
        resolve({ status, headers: Object.fromEntries(headers), body, bytes: Buffer.from(text) });
      });
      // A separate packet: the server has read the first one if it does not answer for a while.
      socket.once("ready", () => setTimeout(() => socket.write(`X: ${"x".repeat(20_000)}\r\n\r\n`), 100));
    });
    await expectRefusal(answer, "GET");
  });
});

/** All bytes that the server sends in response, until it closes the connection. */
function responsesTo(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, "latin1"));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.once("error", reject);
    socket.once("close", () => resolve(text));
  });
}

const requestIds = (text: string) => [...text.matchAll(/x-request-id: (\S+)/gi)].map(([, id = ""]) => id);

test.each([
  ["", "GET"],
  ['{"name":"made before"}', "POST"],
  ['{"name":\r\n\r\n"made before"}', "POST"],
])(
  "a malformed request after a valid one in the same packet: both are answered and recorded (%j)",
  async (body, method) => {
    const { adminKey } = await newOrganization(server);
    const address = newAddress();
    const valid =
      `${method} /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminKey.secret}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const text = await responsesTo(`${valid}${START}X-Forwarded-For: ${address}\r\nb ad\r\n\r\n`);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${method === "GET" ? 200 : 201}`, "HTTP/1.1 400"]);
    const [first, second] = await Promise.all(requestIds(text).map((id) => eventById(server, id)));
    expect(first).toMatchObject({ method, path: "/api/v1/api-keys", api_key_id: adminKey.id });
    expect(second).toMatchObject({
      ...{ organization_id: NOBODY, method: "GET", path: "/api/v1/api-keys", query: "x=1", status_code: 400 },
      ip_address: address,
    });
  },
);

test.each(["/status/%ff", "/heartbeat/%ff", "/invitations/%E0%A4", "/nowhere/%"])(
  "the path %s outside of the API is refused as well",
  async (path) => {
    const answer = await rawRequest(server, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatchObject({ status: 400, body: "The percent-encoding of this address is invalid.\n" });
  },
);

const organization = await newOrganization(server);
const { secret } = organization.adminKey;

describe("a client that disconnects during its request is identified all the same", () => {
  const body = '{"name":"made in a hurry"}';
  const whole = `POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  /** On a connection that the server has accepted: it cannot read from one that was reset before. */
  const sendAndHangUp = (bytes: string, hangUp: (socket: Socket) => void) =>
    new Promise<void>((resolve) => {
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname, () => socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"));
      socket.once("data", () => socket.write(bytes, "latin1", () => hangUp(socket)));
      socket.on("error", () => {}).once("close", () => resolve());
    });

  test.each<[string, string, (socket: Socket) => void]>([
    ["a byte that is not a request follows", "\0", () => {}],
    ["a reset follows", "", (socket) => socket.resetAndDestroy()],
  ])("%s", async (mark, tail, hangUp) => {
    const address = newAddress();
    const made = await until("the request was read before the connection ended", async () => {
      await sendAndHangUp(`${whole}X-Forwarded-For: ${address}\r\nUser-Agent: ${mark}\r\n\r\n${body}${tail}`, hangUp);
      return (await eventsOf(server, organization.id)).find(({ user_agent }) => user_agent === mark);
    });
    expect(made).toMatchObject({ action: "api_key.create", ip_address: address });
  });
});

test("malformed requests count against the client that a trusted proxy names", async () => {
  const address = newAddress();
  const bytes = `${START}X-Forwarded-For: ${address}\r\nb ad\r\n\r\n`;
  const answers = await Promise.all(Array.from({ length: 31 }, () => rawRequest(server, bytes)));
  expect(answers.filter((answer) => answer?.status === 400)).toHaveLength(30);
  const limited = answers.find((answer) => answer?.status === 429);
  expect(await eventById(server, limited?.headers["x-request-id"] ?? "")).toMatchObject({ ip_address: address });
  await expectRefusal(await rawRequest(server, `${START}b ad\r\n\r\n`), "GET");
});

test("the image optimizer cannot call our paths", async () => {
  // Of a separate organization: requests of clients that disconnected may still be recorded.
  const { adminKey, id } = await newOrganization(server);
  const before = (await eventsOf(server, id)).length;
  const target = `/_next/image?url=${encodeURIComponent("/api/v1/api-keys")}&w=640&q=75`;
  const bytes = `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminKey.secret}\r\nConnection: close\r\n\r\n`;
  expect((await rawRequest(server, bytes))?.status).toBe(404);
  expect(await eventsOf(server, id)).toHaveLength(before);
});

test("a CONNECT whose connection is reset does no harm", async () => {
  const pid = server.pids().web;
  const { hostname, port } = new URL(server.url);
  for (let n = 0; n < 5; n++) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write("CONNECT elsewhere.test:443 HTTP/1.1\r\nHost: x\r\n\r\n", () => socket.resetAndDestroy());
      });
      socket.on("error", () => {}).once("close", () => resolve());
    });
    const answer = await rawRequest(server, "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(answer?.status).toBe(200);
  }
  expect(server.pids().web).toBe(pid);
});

test.each(["\0", "b ad\r\n\r\n"])(
  "the rest of an answered request's body is no request, even if %j follows that is none",
  async (bytes) => {
    const path = `/api/v1/${newId()}`;
    const rest = `GET ${path} HTTP/1.1\r\nX-Forwarded-For: ${newAddress()}\r\n\r\n`;
    const head = `POST /heartbeat/none HTTP/1.1\r\nHost: x\r\nContent-Length: ${rest.length}\r\n\r\n`;
    const { hostname, port } = new URL(server.url);
    const text = await new Promise<string>((resolve) => {
      let received = "";
      const socket = connect(Number(port), hostname, () => socket.write(head));
      socket.once("data", () => socket.write(rest, () => setImmediate(() => socket.write(bytes))));
      socket.on("data", (chunk) => (received += chunk)).on("error", () => {});
      socket.once("close", () => resolve(received));
    });
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 404", "HTTP/1.1 400"]);
    expect(await query(server, "audit", "SELECT id FROM audit_events WHERE path = $1", [path])).toEqual([]);
  },
);

describe("unusual but valid requests are answered like all others", () => {
  const authorized = `Authorization: Bearer ${secret}\r\n`;
  const closing = `${authorized}Connection: close\r\n\r\n`;
  const upgrade = `${authorized}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
  const steering = "rsc: 1\r\nnext-action: x\r\nx-middleware-subrequest: middleware\r\nx-nextjs-data: 1\r\n";

  test.each([
    ["HTTP/1.0", `GET /api/v1/api-keys HTTP/1.0\r\n${closing}`],
    ["no Host", `GET /api/v1/api-keys HTTP/1.1\r\n${closing}`],
    ["a Host that is none", `GET /api/v1/api-keys HTTP/1.1\r\nHost: a b/\\\r\n${closing}`],
    ["an absolute target", `GET http://elsewhere.test/api/v1/api-keys HTTP/1.1\r\nHost: x\r\n${closing}`],
    ["an absolute target whose host is none", `GET http://[/api/v1/api-keys HTTP/1.1\r\nHost: x\r\n${closing}`],
    ["a request to upgrade", `GET /api/v1/api-keys HTTP/1.1\r\nHost: x\r\n${upgrade}`],
    ["an unknown expectation", `GET /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n${closing}`],
    ["headers that steer Next", `GET /api/v1/api-keys HTTP/1.1\r\nHost: x\r\n${steering}${closing}`],
  ])("%s", async (_, bytes) => {
    const answer = await rawRequest(server, bytes);
    expect(answer?.status).toBe(200);
    expect(answer?.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(await eventById(server, answer?.headers["x-request-id"] ?? "")).toMatchObject({
      method: "GET",
      path: "/api/v1/api-keys",
      status_code: 200,
    });
  });

  test("a page is served for an invalid Host header too", async () => {
    const answer = await rawRequest(server, "GET http://a[b/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(answer?.status).toBe(200);
  });

  test("CONNECT is refused and recorded", async () => {
    const answer = await rawRequest(server, `CONNECT /api/v1/api-keys?x=1 HTTP/1.1\r\nHost: x\r\n${closing}`);
    await expectRefusal(answer, "CONNECT");
  });

  test("two requests in one packet have two events", async () => {
    const one = `GET /api/v1/api-keys HTTP/1.1\r\nHost: x\r\n${authorized}\r\n`;
    const ids = requestIds(await responsesTo(one + one.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")));
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect((await eventById(server, id)).status_code).toBe(200);
  });
});
