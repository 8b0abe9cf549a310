import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { findProgram } from "@/e2e/support/servers/program";
import { makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { until } from "@/e2e/support/until";

const PEBBLE = findProgram(["pebble"], "--help");

/** Whether this machine has Pebble, the ACME server for tests of Let's Encrypt's makers. */
export const hasPebble = PEBBLE !== undefined;

/** Pebble on loopback. It issues for any name without a challenge's answer. */
export class Pebble {
  private constructor(
    /** Its directory (RFC 8555). */
    readonly url: string,
    /** A file with the root of its own HTTPS certificate. */
    readonly caFile: string,
    private readonly folder: string,
    private readonly process: ChildProcess,
  ) {}

  static async start(): Promise<Pebble> {
    const folder = mkdtempSync(join(tmpdir(), "sealwatch-pebble-"));
    const authority = await makeAuthority("Pebble");
    const own = await authority.leaf({ name: "pebble", sans: ["127.0.0.1"] });
    const files = { ca: authority.root.pem, certificate: own.pem + authority.intermediate.pem, key: own.keyPem };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const port = await lastingPort();
    const settings = {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: "127.0.0.1:0",
      certificate: join(folder, "certificate"),
      privateKey: join(folder, "key"),
    };
    writeFileSync(join(folder, "config.json"), JSON.stringify({ pebble: settings }));
    const child = spawn(PEBBLE ?? "", ["-config", join(folder, "config.json")], {
      env: { ...process.env, PEBBLE_VA_ALWAYS_VALID: "1", PEBBLE_VA_NOSLEEP: "1", PEBBLE_WFE_NONCEREJECT: "0" },
      stdio: "ignore",
    });
    process.once("exit", () => child.kill());
    const pebble = new Pebble(`https://127.0.0.1:${port}/dir`, join(folder, "ca"), folder, child);
    const isUp = () =>
      new Promise<boolean>((resolve, reject) => {
        get(pebble.url, { ca: authority.root.pem }, (response) => {
          response.resume();
          resolve(response.statusCode === 200);
        }).once("error", reject);
      });
    await until("Pebble answers", isUp);
    return pebble;
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.process.once("close", resolve));
    this.process.kill();
    await gone;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
