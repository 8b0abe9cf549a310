import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { expect, test } from "vitest";

/** A device of Linux on which there is never room. */
const FULL = "/dev/full";

/** Logs more than may wait for room in memory, then a fatal line, then goes on. */
const PROGRAM = `
  import { log } from "./lib/log.ts";
  for (let line = 0; line < 2_000; line++) log.info({ text: "x".repeat(1_000) }, "a line");
  log.fatal("the last line");
  process.stdout.write("went on");
`;

test.skipIf(!existsSync(FULL))("a process whose log cannot be written goes on", () => {
  const full = openSync(FULL, "w");
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", PROGRAM],
    // The log is silent in tests otherwise.
    { stdio: ["ignore", "pipe", full], encoding: "utf8", env: { ...process.env, LOG_LEVEL: "info" }, timeout: 120_000 },
  );
  closeSync(full);
  expect([status, stdout]).toEqual([0, "went on"]);
});
