import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { rawRequest } from "@/e2e/support/raw";
import { query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";

const MAX_CONNECTIONS = 20;
/** The requests without a valid credential that an address may send in a minute and keep its connections. */
const MOST_UNCUT = 300;

let server: Sealwatch;
let organization: Organization;

beforeAll(async () => {
  // No proxy is trusted, so this machine counts as one address.
  server = await startSealwatch({ CONNECTIONS_PER_ADDRESS: String(MAX_CONNECTIONS) });
  organization = await newOrganization(server);
});
afterAll(() => server.destroy());

const requests = async () =>
  (
    await query<{ count: number }>(
      server,
      "audit",
      "SELECT count(*)::integer AS count FROM audit_events WHERE method = 'GET'",
    )
  )[0]?.count ?? 0;

/** Silent connections that were opened one after the other, and how many of them are still open. */
async function openSilently(count: number): Promise<{ sockets: Socket[]; open: () => number }> {
  const ended = new Set<Socket>();
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(server.port, "127.0.0.1");
    return socket
      .on("error", () => {})
      .once("close", () => ended.add(socket))
      .resume();
  });
  return { sockets, open: () => count - ended.size };
}

test("an address has a maximum number of connections, and a new one when one is closed", async () => {
  const { sockets, open } = await openSilently(MAX_CONNECTIONS + 10);
  await until("those past the limit are closed", () => open() === MAX_CONNECTIONS);
  const held = sockets.filter(({ destroyed }) => !destroyed);
  expect(await rawRequest(server, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")).toBeUndefined();
  held[0]?.destroy();
  await until("there is room again", async () => {
    return (await rawRequest(server, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"))?.status === 200;
  });
  for (const socket of held) socket.destroy();
  await until("all are closed", () => open() === 0);
});

test("a flood without a valid credential loses its connections; each request that was read has its one event", async () => {
  const guess = "GET /api/v1/nowhere HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer guess\r\n\r\n";
  let answered = 0;
  /** Sends one request, unless none is read: connections of the previous test may still count for a moment. */
  const guessOnce = async () => {
    const answer = await rawRequest(server, guess);
    if (answer !== undefined) answered++;
    return answer;
  };
  // Several at a time, so that all of them are sent within a minute on a slow machine too.
  let left = MOST_UNCUT - 1;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (left-- > 0) {
        const { headers } = await until("the request is read", guessOnce);
        expect(headers.connection).not.toBe("close");
      }
    }),
  );
  for (const isLast of [false, true]) {
    const { headers } = await until("the request is read", guessOnce);
    expect(headers.connection === "close").toBe(isLast);
  }
  expect(await guessOnce()).toBeUndefined();
  expect(answered).toBe(MOST_UNCUT + 1);
  await until("all of them are on record", async () => (await requests()) === answered);
  expect(await requests()).toBe(answered);
  // After that minute the address is accepted again; one with a valid credential is not cut off.
  await until("the address is served again", async () => {
    const valid = `GET /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organization.adminKey.secret}\r\n\r\n`;
    return (await rawRequest(server, valid))?.status === 200;
  });
  for (let n = 0; n < 310; n++) await rawRequest(server, guess);
  expect((await organization.read.get("/api-keys")).status).toBe(200);
});
