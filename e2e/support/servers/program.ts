import { spawnSync } from "node:child_process";

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
