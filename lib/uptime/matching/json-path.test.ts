import { describe, expect, test } from "vitest";
import { MAX_VALUES, parseJsonPath, valuesAt } from "@/lib/uptime/matching/json-path";

const document = { status: "ok", "a b": { c: [1, 2, 3] }, nodes: [{ up: true }, { up: false }], none: null };

describe("a path", () => {
  test.each([
    ["$", [document]],
    ["$.status", ["ok"]],
    ["$['a b'].c[0]", [1]],
    ['$["a b"].c[-1]', [3]],
    ["$['a b'].c[3]", []],
    ["$['a b'].c[-4]", []],
    ["$.nodes[*].up", [true, false]],
    ["$.nodes.*.up", [true, false]],
    ["$.none", [null]],
    ["$.none.deeper", []],
    ["$.status.length", []],
    ["$.nodes.length", []],
    ["$.constructor", []],
    ["$.__proto__", []],
  ])("%s", (path, values) => {
    expect(valuesAt(document, parseJsonPath(path))).toEqual(values);
  });

  test("leads to a limited number of values at each step, which ends the walk", () => {
    const many = Array.from({ length: MAX_VALUES + 1 }, () => ({ name: "a", list: [1, 2] }));
    const at = (path: string, of: unknown = many) => valuesAt(of, parseJsonPath(path));
    expect(at("$[*].name", many.slice(1))).toHaveLength(MAX_VALUES);
    expect(at("$[*]")).toBeNull();
    expect(at("$[*].missing")).toBeNull();
    expect(at("$.*", Object.fromEntries(many.entries()))).toBeNull();
    expect(at("$[*].list[*]", many.slice(0, 600))).toBeNull();
    expect(at("$[-1].name")).toEqual(["a"]);
  });

  test.each(["status", "$status", "$..status", "$.a[?@.b]", "$[0:2]", "$['a'", "$.", "$[01]", `$${".a".repeat(21)}`])(
    "%s is refused",
    (path) => {
      expect(() => parseJsonPath(path)).toThrow(/^(must|has)/);
    },
  );
});
