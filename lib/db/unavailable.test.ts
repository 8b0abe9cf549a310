import type pg from "pg";
import { describe, expect, test } from "vitest";
import { mayBeCommitted } from "@/lib/db/commit-outcome";
import { isUnavailable } from "@/lib/db/unavailable";

const coded = (code: string) => Object.assign(new Error("x"), { code });

describe("an unavailable database", () => {
  test.each([
    ..."ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN".split(" "),
    ..."P1001 P1002 P1008 P1017 P2024 P2028 P2034 P2037".split(" "),
    ..."08000 08003 08006 57P01 57P02 57P03 53300 53100 25006 57014 55P03 25P03 40P01".split(" "),
  ])("is recognized by the code %s", (code) => {
    expect(isUnavailable(coded(code))).toBe(true);
  });

  test.each([..."23505 22021 42P18 42P01 40001 P2002 P2025 ENOENT EACCES".split(" "), ""])(
    "is not indicated by the code %s",
    (code) => {
      expect(isUnavailable(coded(code))).toBe(false);
    },
  );

  test("is recognized by a Unix socket that cannot be connected to", () => {
    for (const code of ["ENOENT", "EAGAIN"])
      expect(isUnavailable(Object.assign(coded(code), { syscall: "connect" }))).toBe(true);
    expect(isUnavailable(Object.assign(coded("ENOENT"), { syscall: "open" }))).toBe(false);
  });

  test.each([
    "Connection terminated unexpectedly",
    "Connection terminated due to connection timeout",
    "timeout exceeded when trying to connect",
    "Query read timeout",
    "Client has encountered a connection error and is not queryable",
  ])("is recognized by pg's message: %s", (message) => {
    expect(isUnavailable(new Error(message))).toBe(true);
  });

  test("is recognized through wrapping errors", () => {
    const inner = coded("ECONNREFUSED");
    expect(isUnavailable(new Error("query failed", { cause: inner }))).toBe(true);
    const driverAdapterError = { name: "DriverAdapterError", cause: { kind: "postgres", code: "57P01" } };
    expect(isUnavailable(Object.assign(new Error("x"), { code: "P2039", meta: { driverAdapterError } }))).toBe(true);
    expect(isUnavailable(new AggregateError([coded("ENOENT"), inner]))).toBe(true);
    expect(
      isUnavailable(
        Object.assign(new Error("prisma"), { meta: { driverAdapterError: new Error("x", { cause: inner }) } }),
      ),
    ).toBe(true);
  });

  test("is not detected in other values, however odd", () => {
    const round: { cause?: unknown } = {};
    round.cause = round;
    for (const thrown of [null, undefined, "ECONNREFUSED", 7, {}, new Error("x"), new TypeError("timeout"), round]) {
      expect(isUnavailable(thrown)).toBe(false);
    }
  });
});

const answered = (command: string) => Promise.resolve({ command } as pg.QueryResult);
const failed = (severity?: string): Promise<pg.QueryResult> =>
  Promise.reject(Object.assign(new Error("failed"), { severity }));

test.each([
  ["that was not sent", undefined, false],
  ["that PostgreSQL answered with ROLLBACK", () => answered("ROLLBACK"), false],
  ["that PostgreSQL refused", () => failed("ERROR"), false],
  ["that was done, although an earlier statement failed", () => answered("COMMIT"), true],
  ["whose connection broke", () => failed(), true],
  ["whose connection a pooler ended", () => failed("FATAL"), true],
])("a transaction with a commit %s", async (_, committing, expected) => {
  expect(await mayBeCommitted(committing?.())).toBe(expected);
});
