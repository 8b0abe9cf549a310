import { expect, test } from "vitest";
import { OVERSCAN_ROWS, rowsNear } from "@/components/table/infinite/window-rows";

const list = { count: 1000, rowPx: 28, topPx: 280 };

test("renders the rows on the screen and some beyond it", () => {
  expect(rowsNear(list, 280 + 100 * 28, 10 * 28)).toEqual({ first: 100 - OVERSCAN_ROWS, end: 110 + OVERSCAN_ROWS });
});

test("renders the first rows above the list and the last ones below it", () => {
  expect(rowsNear(list, 0, 280)).toEqual({ first: 0, end: OVERSCAN_ROWS });
  expect(rowsNear(list, 1_000_000, 800)).toEqual({ first: 1000, end: 1000 });
});

test("renders all rows of a short list, and none of an empty one", () => {
  expect(rowsNear({ ...list, count: 3 }, 0, 1200)).toEqual({ first: 0, end: 3 });
  expect(rowsNear({ ...list, count: 0 }, 0, 1200)).toEqual({ first: 0, end: 0 });
});

test("renders a row that is partly on the screen", () => {
  const { first, end } = rowsNear(list, 280 + 20.5 * 28, 28);
  expect([first + OVERSCAN_ROWS, end - OVERSCAN_ROWS]).toEqual([20, 22]);
});

test("renders only the rows on the screen of a page that is navigated to", () => {
  expect(rowsNear(list, 0, 840, 0)).toEqual({ first: 0, end: 20 });
});
