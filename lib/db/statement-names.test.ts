import { expect, test } from "vitest";
import { isNumbered, statementNames } from "@/lib/db/statement-names";

const send = (name: ReturnType<typeof statementNames>, sql: string, times: number) =>
  Array.from({ length: times }, () => name({ sql })).at(-1);

test("a statement gets a name of its own when it has occurred often, and keeps it", () => {
  const name = statementNames();
  expect(send(name, "SELECT 1", 4)).toBe("");
  const first = send(name, "SELECT 1", 1);
  expect(first).not.toBe("");
  const second = send(name, "SELECT 2", 5);
  expect(second).not.toBe("");
  expect(second).not.toBe(first);
  expect(send(name, "SELECT 1", 3)).toBe(first);
  expect(["", first ?? "", "audit-append"].map(isNumbered)).toEqual([true, true, false]);
});

test("names are limited, and many rare statements neither take them nor fill the memory", () => {
  const name = statementNames();
  for (let n = 0; n < 10_000; n++) expect(name({ sql: `SELECT ${n}` })).toBe("");
  const given = new Set(Array.from({ length: 300 }, (_, n) => send(name, `SELECT often ${n}`, 5)));
  expect(given.size).toBe(201);
  expect(given).toContain("");
});
