import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { expect, test } from "vitest";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { RedisStore } from "@/lib/rate-limits/redis-store";
import { redisTls } from "@/lib/rate-limits/redis-tls";

test("a server over TLS is told its name", async () => {
  const { pem, keyPem } = await makeCertificate({ name: "localhost", untilDays: 10 });
  const names: string[] = [];
  const server = createServer({
    cert: pem,
    key: keyPem,
    SNICallback: (name, done) => {
      names.push(name);
      done(null);
    },
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  const store = new RedisStore(`rediss://localhost:${(server.address() as AddressInfo).port}`);
  await once(server, "tlsClientError");
  store.close();
  server.close();
  expect(names[0]).toBe("localhost");
});

test("addresses, and servers without TLS, have no name", () => {
  expect(redisTls("rediss://[::1]:6379/1")).toEqual({ tls: {} });
  expect(redisTls("redis://:secret@redis.test:6379")).toEqual({});
});
