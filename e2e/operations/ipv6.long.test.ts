import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { withKey } from "@/e2e/support/api";
import { eventById } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";

const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === "::1"));

interface Made {
  id: string;
  secret: string;
}

async function keyFor(server: Sealwatch, ip: string) {
  const { id } = await server.cli<Made>("org", "create", "--name", "Test");
  const { secret } = await server.cli<Made>("key", "create", "--org", id, "--name", "Key", "--ip", ip);
  return withKey(server, secret);
}

// A dual-stack socket reports an IPv4 client as ::ffff:a.b.c.d.
describe.skipIf(!hasIpv6).each([
  ["::1", "::1", "127.0.0.1"],
  ["::ffff:127.0.0.1", "127.0.0.1", "::1"],
])("listening on %s", (HOST, address, other) => {
  test(`a client is ${address}, and its key's whitelist is judged by that`, async () => {
    const server = await startSealwatch({ HOST });
    try {
      const allowed = await (await keyFor(server, address)).get("/api-keys");
      expect(allowed.status).toBe(200);
      expect((await eventById(server, allowed.requestId)).ip_address).toBe(address);
      expect((await (await keyFor(server, other)).get("/api-keys")).error.code).toBe("IP_NOT_ALLOWED");
    } finally {
      await server.destroy();
    }
  });
});
