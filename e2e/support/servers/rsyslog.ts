import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, isOpen } from "@/e2e/support/servers/program";
import { makeAuthority, type TestCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { until } from "@/e2e/support/until";

const RSYSLOGD = findProgram(["rsyslogd", "/usr/sbin/rsyslogd"], "-v");

/** Whether this machine has rsyslog. Without it, its configuration in the documentation is not tested. */
export const hasRsyslog = RSYSLOGD !== undefined;

/** The configuration in docs/operations/destinations.md, with this port of loopback and files of this folder. */
function configuration(port: number, folder: string): string {
  const shown = /```rsyslog\n([\s\S]+?)```/.exec(readFileSync("docs/operations/destinations.md", "utf8"))?.[1];
  if (shown === undefined) throw new Error("docs/operations/destinations.md shows no configuration of rsyslog");
  return shown
    .replaceAll("/etc/rsyslog.d/tls/", `${folder}/`)
    .replace("/var/log/sealwatch.log", `${folder}/sealwatch.log`)
    .replace('port="6514"', `address="127.0.0.1" port="${port}"`);
}

/** rsyslog with the configuration of the documentation. */
export interface Rsyslog {
  authority: TestCertificate;
  /** The lines that it has written. */
  lines: () => string[];
  stop: () => Promise<void>;
}

/** Starts it on a port of loopback. */
export async function startRsyslog(port: number): Promise<Rsyslog> {
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-rsyslog-"));
  const { root, intermediate, leaf } = await makeAuthority("rsyslog");
  const own = await leaf({ name: "127.0.0.1", sans: ["127.0.0.1"] });
  writeFileSync(join(folder, "ca.pem"), root.pem);
  writeFileSync(join(folder, "certificate.pem"), own.pem + intermediate.pem);
  writeFileSync(join(folder, "key.pem"), own.keyPem);
  writeFileSync(join(folder, "rsyslog.conf"), configuration(port, folder));
  const options = ["-n", "-f", join(folder, "rsyslog.conf"), "-i", join(folder, "rsyslog.pid")];
  const child = spawn(RSYSLOGD ?? "", options, { stdio: "ignore", cwd: folder });
  process.once("exit", () => child.kill());
  await until("rsyslog listens", () => isOpen(port));
  return {
    authority: root,
    lines: () => readFileSync(join(folder, "sealwatch.log"), "utf8").split("\n").slice(0, -1),
    stop: async () => {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}
