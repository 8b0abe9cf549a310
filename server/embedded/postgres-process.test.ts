import { expect, test } from "vitest";
import { isRunning, parsePostmaster } from "@/server/embedded/postgres-process";

const FILE = "4711\n/data\n1795242000\n41234\n\n127.0.0.1\n  1234567       229\nready   \n";

test("postmaster.pid contains process, port, shared memory and state", () => {
  expect(parsePostmaster(FILE)).toEqual({
    ...{ pid: 4711, port: 41234, socketFolder: "", sharedMemoryId: 229, ready: true },
  });
  expect(parsePostmaster(FILE.replace("ready   ", "starting"))?.ready).toBe(false);
  expect(parsePostmaster(FILE.replace("\n\n", "\n/data of\n"))?.socketFolder).toBe("/data of");
});

test("an incomplete postmaster.pid is ignored", () => {
  expect(parsePostmaster("4711\n/data\n")).toBeUndefined();
  expect(parsePostmaster("")).toBeUndefined();
});

test("another process with the id of a former PostgreSQL is not mistaken for it", () => {
  expect(
    isRunning({ pid: process.pid, port: 1, socketFolder: "", sharedMemoryId: 0, ready: true }, "/somewhere/else/data"),
  ).toBe(false);
});
