import { execFile, spawnSync } from "node:child_process";
import { createConnection } from "node:net";

/**
 * The first of these programs that this machine has, or undefined if its tests are skipped. Throws in continuous integration,
 * which skips no test: `.ci/run` installs the programs.
 * @param versionFlag makes the program print its version and exit
 */
export function findProgram(names: readonly string[], versionFlag = "--version"): string | undefined {
  const found = names.find((name) => spawnSync(name, [versionFlag]).status === 0);
  if (found === undefined && process.env.CI)
    throw new Error(`${names[0]} must be installed: with CI set no suite is skipped.`);
  return found;
}

/** Whether the second verifier of sealed logs can run here, which is written in Python and calls OpenSSL. */
export function hasPython(): boolean {
  return spawnSync("python3", ["--version"]).status === 0 && spawnSync("openssl", ["version"]).status === 0;
}

/** Runs a program to its end. Resolves with its exit code and all that it printed. */
export function run(
  command: string,
  args: string[],
): Promise<{ code: number | string | null | undefined; out: string }> {
  return new Promise((resolve) => {
    execFile(command, args, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, out: stdout + stderr });
    });
  });
}

/** Whether something listens on a port of loopback. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
