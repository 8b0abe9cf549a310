import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeCursor, decodeIdCursor, decodePosition, encodeCursor } from "@/lib/http/cursor";
import { ApiError } from "@/lib/http/errors";

const ID = "01a1fcff-6680-7420-917f-1d9e34253279";
const FILTERS = ["desc", { method: { include: ["GET"], exclude: [] } }];

/** The position, or the error message that the caller receives. */
function outcome(cursor: string, filters: unknown, length: number) {
  try {
    return decodeCursor(cursor, filters, length);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.status).toBe(400);
    expect(error.details.issues?.map(({ path }) => path)).toEqual(["cursor"]);
    return error.message;
  }
}

const GARBAGE = "cursor: is not a valid cursor.";
const OTHERS = "cursor: was created with different filters.";

const part = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "é", "😀", '"', "\\", "\0") }),
  fc.integer(),
  fc.constant(null),
);

describe("a cursor", () => {
  test("returns its position", () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), fc.jsonValue(), (position, filters) => {
        const cursor = encodeCursor(position, filters);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeCursor(cursor, filters, position.length)).toEqual(position);
      }),
    );
  });

  test("is refused with different filters", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        expect(outcome(encodeCursor([ID], one), other, 1)).toBe(OTHERS);
      }),
    );
  });

  test("is refused if the position has a different length", () => {
    expect(outcome(encodeCursor(["a", ID], FILTERS), FILTERS, 1)).toBe(GARBAGE);
    expect(outcome(encodeCursor([], FILTERS), FILTERS, 1)).toBe(GARBAGE);
  });

  const base64url = (text: string) => Buffer.from(text).toString("base64url");

  test.each([
    "",
    " ",
    "!",
    "é",
    "a".repeat(1000),
    base64url("{}"),
    base64url("null"),
    base64url("[]"),
    base64url("[1,2"),
  ])("%j is refused", (cursor) => {
    expect(outcome(cursor, FILTERS, 1)).toBe(GARBAGE);
  });

  test("that contains values other than text and numbers is refused", () => {
    const print = (JSON.parse(Buffer.from(encodeCursor([], FILTERS), "base64url").toString()) as string[])[0];
    for (const hidden of [{}, [], true]) {
      expect(outcome(base64url(JSON.stringify([print, hidden])), FILTERS, 1)).toBe(GARBAGE);
    }
  });

  test("that is garbage always causes a 400", () => {
    const garbage = fc.oneof(
      fc.string(),
      fc.json().map(base64url),
      fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64url")),
    );
    fc.assert(fc.property(garbage, (cursor) => typeof outcome(cursor, FILTERS, 1) === "string"));
  });

  test("with one changed character is refused or has the same meaning", () => {
    const cursor = encodeCursor([ID], FILTERS);
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom(..."ABCxyz019-_"), (at, character) => {
        const mutated = cursor.slice(0, at) + character + cursor.slice(at + 1);
        try {
          expect(decodeIdCursor(mutated, FILTERS)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
        } catch (error) {
          expect(error).toMatchObject({ code: "INVALID_REQUEST" });
        }
      }),
    );
  });
});

describe("a cursor of an id", () => {
  test("is null when absent", () => {
    expect(decodeIdCursor(undefined, FILTERS)).toBeNull();
  });

  test("returns the id", () => {
    expect(decodeIdCursor(encodeCursor([ID], FILTERS), FILTERS)).toBe(ID);
  });

  test.each(["abc", "", `${ID}'--`, ID.toUpperCase(), 7, null, "\0"])(
    "with %j is refused, because the database would refuse it",
    (id) => {
      expect(() => decodeIdCursor(encodeCursor([id], FILTERS), FILTERS)).toThrow(GARBAGE);
    },
  );
});

describe("a cursor of several parts", () => {
  const kinds = ["time", "id", "text"] as const;
  const good = ["2026-11-21T20:00:00.000Z", ID, "::1"];

  test("returns its parts", () => {
    expect(decodePosition(encodeCursor(good, FILTERS), FILTERS, kinds)).toEqual(good);
  });

  test.each<[number, string | number | null]>([
    [0, "now"],
    [0, "1"],
    [0, "2026-13-21T20:00:00.000Z"],
    [0, "+275760-09-13T00:00:00.000Z"],
    [0, 0],
    [1, ID.toUpperCase()],
    [1, "%"],
    [1, null],
    [2, "\0"],
    [2, "\ud800"],
    [2, 7],
  ])("is refused when part %i is %j", (at, part) => {
    const position = good.map((each, index) => (index === at ? part : each));
    expect(() => decodePosition(encodeCursor(position, FILTERS), FILTERS, kinds)).toThrow(GARBAGE);
  });
});
