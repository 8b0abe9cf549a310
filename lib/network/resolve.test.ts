import { expect, test } from "vitest";
import { resolveHost } from "@/lib/network/resolve";

test("an address is its own answer", async () => {
  expect(await resolveHost("192.0.2.7")).toEqual(["192.0.2.7"]);
  expect(await resolveHost("2001:db8::7")).toEqual(["2001:db8::7"]);
});

test("localhost is this machine, whatever DNS says", async () => {
  const addresses = await resolveHost("localhost");
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(address).toMatch(/^(127\.|::1$)/);
});

test("a name that cannot exist is refused with a code", async () => {
  await expect(resolveHost("no-such-name.invalid")).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
});
