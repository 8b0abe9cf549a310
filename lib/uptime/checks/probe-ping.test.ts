import { existsSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { iputils, standInPing } from "@/e2e/support/stand-ins/ping";
import { parseNetwork } from "@/lib/networks";
import type { CheckSettings, ProbeOptions } from "@/lib/uptime/checks/outcome";
import { probe } from "@/lib/uptime/checks/probe";

let standIn: ReturnType<typeof standInPing>;
beforeEach(() => {
  standIn = standInPing();
  vi.stubEnv("PATH", standIn.folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  standIn.remove();
});

function look(settings: Partial<CheckSettings> = {}, options: Partial<ProbeOptions> = {}) {
  const whole: CheckSettings = {
    ...{ type: "ping", target: "router.test", method: "GET", headers: {}, authentication: { type: "none" } },
    ...{ requestBody: null, expectedStatus: ["2xx"], expectedText: null, assertions: {}, typeSettings: {} },
    ...{ followRedirects: true, verifyTls: true, timeoutSeconds: 5 },
    ...settings,
  };
  const resolve = async () => ["10.0.0.1", "192.0.2.1"];
  return probe(whole, { allowedNetworks: [parseNetwork("192.0.2.0/24")], resolve, ...options });
}

test("pings the permitted address that the name resolved to; its time is the round trip", async () => {
  standIn.prints(iputils(3, 3));
  const outcome = await look();
  expect(outcome).toMatchObject({ ok: true, reason: null, address: "192.0.2.1", totalUs: 12_500, response: null });
  expect(outcome.dnsUs).toBeGreaterThanOrEqual(0);
  expect(readFileSync(standIn.asked, "utf8")).toBe("-n -q -c 3 -W 2 192.0.2.1\n");
});

test("fails if too many packets are lost, with the program's words as evidence", async () => {
  const typeSettings = { ping: { count: 4, max_loss_percent: 25 } };
  standIn.prints(iputils(4, 3));
  expect(await look({ typeSettings })).toMatchObject({ ok: true });
  standIn.prints(iputils(4, 2));
  const lost = await look({ typeSettings });
  expect(lost).toMatchObject({ ok: false, reason: "packet_loss", detail: "2 of 4 packets lost" });
  expect(lost.response?.body?.toString()).toContain("4 packets transmitted, 2 received");
  standIn.prints(iputils(3, 0));
  expect(await look()).toMatchObject({ reason: "packet_loss", detail: "3 of 3 packets lost" });
});

test("a round trip may be too slow", async () => {
  standIn.prints(iputils(3, 3));
  const assertions = { max_response_time_ms: 10 };
  expect(await look({ assertions })).toMatchObject({ reason: "too_slow", detail: "13 ms", totalUs: 12_500 });
});

test("is not started for forbidden addresses or the other version of IP", async () => {
  standIn.prints(iputils(3, 3));
  const resolve = async () => ["10.0.0.1", "169.254.169.254"];
  expect(await look({}, { resolve })).toMatchObject({ reason: "forbidden_address", address: null });
  expect(await look({ target: "10.0.0.1" })).toMatchObject({ reason: "forbidden_address" });
  expect(await look({}, { family: 6 })).toMatchObject({ reason: "dns_failure" });
  expect(existsSync(standIn.asked)).toBe(false);
});

test("without the program, or if it hangs, the check fails", async () => {
  expect(await look()).toMatchObject({ reason: "protocol_error", detail: "ping is not installed" });
  standIn.does("exec /bin/sleep 600");
  expect(await look({ timeoutSeconds: 0.5 })).toMatchObject({ reason: "timeout" });
});
