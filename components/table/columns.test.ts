import { expect, test } from "vitest";
import { type Column, columnsCookie, columnsValue, shownColumns } from "@/components/table/columns";

const columns: Column[] = [
  { id: "tags", label: "Tags" },
  { id: "issuer", label: "Issuer" },
  { id: "checked", label: "Checked", isExtra: true },
];

test("without a choice the usual columns are shown, and nothing is stored", () => {
  expect([...shownColumns(columns, undefined)]).toEqual(["tags", "issuer"]);
  expect(columnsValue(columns, new Set(["issuer", "tags"]))).toBeNull();
});

test.each([[["checked"]], [["tags", "checked"]], [[]]])("the choice %j is read as it was stored", (chosen) => {
  const value = columnsValue(columns, new Set(chosen));
  expect([...shownColumns(columns, value ?? undefined)]).toEqual(chosen);
});

test("unknown columns of a stored choice are left out", () => {
  expect([...shownColumns(columns, ".tags.gone.")]).toEqual(["tags"]);
});

test("two people on one browser do not share the choice", () => {
  const cookieOf = (id: string) =>
    columnsCookie("endpoints", { actor: { type: "user", id, name: "Ada", email: "ada@example.com" } });
  expect(cookieOf("0193a1f4-0001-7a02-8b41-000000000001")).not.toBe(cookieOf("0193a1f4-0001-7a02-8b41-000000000002"));
});
