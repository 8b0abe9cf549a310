import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { standInPing } from "@/e2e/support/stand-ins/ping";
import { until } from "@/e2e/support/until";
import { findPing, parsePing, ping } from "@/lib/network/ping";

/** Printed by iputils 20221126 and BusyBox 1.35. */
const IPUTILS = `PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.

--- 127.0.0.1 ping statistics ---
2 packets transmitted, 2 received, 0% packet loss, time 1012ms
rtt min/avg/max/mdev = 0.034/0.035/0.036/0.001 ms
`;
const IPUTILS_ERRORS = `PING 240.0.0.1 (240.0.0.1) 56(84) bytes of data.

--- 240.0.0.1 ping statistics ---
3 packets transmitted, 0 received, +3 errors, 100% packet loss, time 2040ms

`;
const BUSYBOX = `PING 127.0.0.1 (127.0.0.1): 56 data bytes

--- 127.0.0.1 ping statistics ---
2 packets transmitted, 1 packets received, 50% packet loss
round-trip min/avg/max = 0.026/6.069/12.112 ms
`;

test.each([
  ["iputils", IPUTILS, { sent: 2, received: 2, averageMs: 0.035 }],
  ["iputils with errors", IPUTILS_ERRORS, { sent: 3, received: 0, averageMs: null }],
  ["BusyBox", BUSYBOX, { sent: 2, received: 1, averageMs: 6.069 }],
])("reads the statistics of %s", (_program, output, expected) => {
  expect(parsePing(output)).toEqual({ ...expected, output });
});

test("an output without statistics is none", () => {
  expect(parsePing("PING 127.0.0.1 (127.0.0.1): 56 data bytes\n")).toBeNull();
});

test("the machine's own ping, where it has one that may be used, reaches itself", async () => {
  const standIn = standInPing();
  if (findPing() === null) {
    standIn.prints(IPUTILS);
    vi.stubEnv("PATH", standIn.folder);
  }
  const pinging = ping("127.0.0.1", { count: 2, waitSeconds: 2, signal: new AbortController().signal });
  const { sent, received, averageMs } = await pinging.finally(() => {
    standIn.remove();
    vi.unstubAllEnvs();
  });
  expect([sent, received]).toEqual([2, 2]);
  expect(averageMs).toBeGreaterThan(0);
});

describe("the program", () => {
  let standIn: ReturnType<typeof standInPing>;
  beforeEach(() => {
    standIn = standInPing();
    vi.stubEnv("PATH", standIn.folder);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    standIn.remove();
  });

  const run = (signal = new AbortController().signal) => ping("192.0.2.1", { count: 3, waitSeconds: 7, signal });

  test("is found on PATH, and gets its arguments as they are", async () => {
    await expect(run()).rejects.toThrow("ping is not installed");
    standIn.prints(BUSYBOX);
    expect(await run()).toMatchObject({ sent: 2, received: 1 });
    expect(readFileSync(standIn.asked, "utf8")).toBe("-n -q -c 3 -W 7 192.0.2.1\n");
  });

  test("says in its words why it cannot ping", async () => {
    standIn.does("echo 'ping: socket: Operation not permitted' >&2; exit 2");
    await expect(run()).rejects.toThrow("ping: socket: Operation not permitted");
  });

  test("sees nothing of the environment", async () => {
    vi.stubEnv("ENCRYPTION_KEY", "s3cret");
    standIn.does(`/usr/bin/env > ${standIn.folder}/environment; exit 2`);
    await expect(run()).rejects.toThrow();
    expect(readFileSync(`${standIn.folder}/environment`, "utf8")).not.toContain("s3cret");
  });

  test("is killed when the check ends, and when it says too much", async () => {
    standIn.does("exec /bin/sleep 600");
    const stopping = new AbortController();
    const pinging = run(stopping.signal);
    await until("it has been started", () => {
      try {
        return readFileSync(standIn.asked, "utf8") !== "";
      } catch {
        return false;
      }
    });
    stopping.abort(new Error("timeout"));
    await expect(pinging).rejects.toThrow("timeout");
    standIn.does("while :; do echo 0123456789012345678901234567890123456789; done");
    await expect(run()).rejects.toThrow("maxBuffer");
  });
});
