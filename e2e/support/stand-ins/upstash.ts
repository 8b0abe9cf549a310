import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Redis } from "ioredis";
import { requestText } from "@/e2e/support/stand-ins/request-text";

const TOKEN = "a-token-for-tests";

/** The part of Upstash's REST protocol that its client uses for scripts, in front of a real Redis. */
interface UpstashServer {
  url: string;
  token: string;
  close: () => void;
}

type Reply = { result: unknown } | { error: string };

/** Encodes strings as base64 if the client requests it. */
function encode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(encode);
  return typeof value === "string" && value !== "OK" ? Buffer.from(value).toString("base64") : value;
}

async function run(redis: Redis, [name = "", ...args]: string[], asBase64: boolean): Promise<Reply> {
  try {
    const result = await redis.call(name, ...args.map(String));
    return { result: asBase64 ? encode(result) : result };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** `POST /` accepts one command, `POST /pipeline` several; an unknown token is 401 (Upstash's REST API documentation). */
export async function startUpstash(redis: Redis): Promise<UpstashServer> {
  const server: Server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${TOKEN}`) {
      return answer(401, { error: "WRONGPASS invalid or missing auth token" });
    }
    const asBase64 = request.headers["upstash-encoding"] === "base64";
    const command = JSON.parse(await requestText(request));
    if (request.url === "/pipeline") {
      return answer(200, await Promise.all(command.map((each: string[]) => run(redis, each, asBase64))));
    }
    const reply = await run(redis, command, asBase64);
    return answer("error" in reply ? 400 : 200, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    token: TOKEN,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
