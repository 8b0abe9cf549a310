import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Connections } from "@/server/web/connections";

const REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

test("a stop closes idle connections, and waits for the first request of a new one", async () => {
  const server = createServer((request, response) => {
    connections.begin(request.socket, response);
    response.end("answered");
  });
  const connections = new Connections(server, () => false);
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const opened = async () => {
    const accepted = once(server, "connection");
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    await accepted;
    return socket;
  };

  const idle = await opened();
  idle.write(REQUEST);
  await once(idle, "data");
  const fresh = await opened();
  const closed = connections.close();
  await once(idle, "close");
  // As a busy proxy does: by now a connection that is not new would be closed.
  fresh.write(REQUEST);
  const [answer] = await once(fresh, "data");
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*answered/i);
  await closed;
});
