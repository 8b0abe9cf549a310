import { describe, expect, test } from "vitest";
import { FORGED } from "@/e2e/support/forged-headers";
import { newOrganization } from "@/e2e/support/organization";
import { eventById } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";

// The shared server trusts 127.0.0.1 as a proxy, so these tests can come from anywhere.
const server = sharedServer();
const { newKey } = await newOrganization(server);

async function from(addresses: string | string[], ip: string[]) {
  const key = await newKey({ ip });
  const answer = await key.api.get("/api-keys", { headers: { "x-forwarded-for": addresses } });
  return { key, answer, event: await eventById(server, answer.requestId) };
}

describe("a whitelisted key", () => {
  test.each([
    [["192.0.2.7"], "192.0.2.7"],
    [["192.0.2.0/24"], "192.0.2.255"],
    [["0.0.0.0/0"], "203.0.113.9"],
    [["192.0.2.7"], "::ffff:192.0.2.7"],
    [["192.0.2.0/24"], "::ffff:c000:0207"],
    [["::ffff:192.0.2.7"], "192.0.2.7"],
    [["2001:db8::1"], "2001:db8::1"],
    [["2001:db8::1"], "2001:0DB8:0000::0001"],
    [["2001:db8::/32"], "2001:db8:ffff::1"],
    [["2001:db8::/32"], "[2001:db8::9]:443"],
    [["198.51.100.1", "2001:db8::/32", "192.0.2.0/25"], "192.0.2.127"],
    [["192.0.2.7"], "192.0.2.7:51234"],
  ])("for %j may be used from %s", async (ip, address) => {
    const { answer } = await from(address, ip);
    expect(answer.status).toBe(200);
  });

  test.each([
    [["192.0.2.7"], "192.0.2.8"],
    [["192.0.2.0/24"], "192.0.3.0"],
    [["192.0.2.0/25"], "192.0.2.128"],
    [["192.0.2.7"], "2001:db8::1"],
    [["0.0.0.0/0"], "2001:db8::1"],
    [["::/0"], "192.0.2.7"],
    [["2001:db8::/32"], "2001:db9::1"],
    [["2001:db8::1"], "2001:db8::2"],
    [["198.51.100.1", "2001:db8::/32"], "192.0.2.7"],
    [["0.0.0.0/0", "::/0"], "unknown"],
    [["0.0.0.0/0", "::/0"], "192.0.2"],
    [["192.0.2.7"], "0xc0.0.2.7"],
    [["192.0.2.7"], "192.0.2.7, 198.51.100.1"],
  ])("for %j may not be used from %s", async (ip, address) => {
    const { answer, event, key } = await from(address, ip);
    expect([answer.status, answer.error.code]).toEqual([403, "IP_NOT_ALLOWED"]);
    expect(event).toMatchObject({ flags: ["ip_not_allowed"], api_key_id: key.id, is_security_event: true });
  });
});

describe("behind a trusted proxy, the client is the rightmost address that is not a proxy", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["198.51.100.1, 192.0.2.7", "192.0.2.7"],
    ["192.0.2.7, 127.0.0.1", "192.0.2.7"],
    [" 192.0.2.7 ,, ", "192.0.2.7"],
    ["198.51.100.1, junk, 127.0.0.1", null],
    [["198.51.100.1", "192.0.2.7"], "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["127.0.0.1", "127.0.0.1"],
    ["", "127.0.0.1"],
  ])("X-Forwarded-For: %s", async (forwarded, address) => {
    const { event } = await from(forwarded, []);
    expect(event.ip_address).toBe(address);
  });
});

test("the country follows the address, and private ones have none", async () => {
  expect((await from("8.8.8.8", [])).event.country).toBe("US");
  expect((await from("192.168.1.1", [])).event.country).toBeNull();
});

describe("behind a trusted proxy", () => {
  const others = FORGED.filter((name) => name !== "x-forwarded-for");

  test("only X-Forwarded-For names the client", async () => {
    const { api } = await newKey({ ip: ["192.0.2.7"] });
    const forged = Object.fromEntries(others.map((name) => [name, "198.51.100.1"]));
    const answer = await api.get("/api-keys", { headers: { ...forged, "x-forwarded-for": "192.0.2.7" } });
    expect((await eventById(server, answer.requestId)).ip_address).toBe("192.0.2.7");
    const silent = await api.with({}).get("/api-keys", { headers: { ...forged, "x-forwarded-for": "" } });
    expect((await eventById(server, silent.requestId)).ip_address).toBe("127.0.0.1");
  });

  test("the last line of a repeated header comes from the proxy", async () => {
    const lines = ["192.0.2.7", "192.0.2.7, 127.0.0.1", "198.51.100.1"];
    const { answer, event } = await from(lines, ["192.0.2.7"]);
    expect([answer.error.code, event.ip_address]).toEqual(["IP_NOT_ALLOWED", "198.51.100.1"]);
    const { event: proxied } = await from([...lines, "127.0.0.1", " "], []);
    expect(proxied.ip_address).toBe("198.51.100.1");
  });
});
