import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isUnchanged } from "@/server/build/unchanged.mjs";

test("files are read again once one was written or is missing, and not before", () => {
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-unchanged-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [one, other, note] = [join(folder, "one"), join(folder, "other"), join(folder, "note")];
  const write = (file: string, text: string, at: number) => {
    writeFileSync(file, text);
    utimesSync(file, at, at);
  };
  let reads = 0;
  const ask = (isCurrent: boolean) =>
    isUnchanged([one, other], note, () => {
      reads++;
      return isCurrent;
    });
  write(one, "a", 1);
  write(other, "b", 1);
  expect([ask(false), ask(true), ask(false), reads]).toEqual([false, true, true, 2]);
  // Of the same size.
  write(other, "c", 2);
  expect([ask(false), ask(true), ask(true), reads]).toEqual([false, true, true, 4]);
  rmSync(one);
  expect([ask(false), reads]).toEqual([false, 5]);
});
