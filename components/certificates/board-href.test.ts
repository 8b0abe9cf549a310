import { expect, test } from "vitest";
import { boardHref } from "@/components/certificates/board-href";

test("what is empty is not in the address", () => {
  expect(boardHref({ status: "", tag: "" })).toBe("/certificates");
  expect(boardHref({ status: "ok", tag: "" })).toBe("/certificates?status=ok");
});
