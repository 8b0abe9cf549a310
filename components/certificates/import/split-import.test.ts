import { expect, test } from "vitest";
import { formatOf, splitImport } from "@/components/certificates/import/split-import";

const at = (endpoints: number) => ({ endpoints, characters: 1000, lines: 1000 });

test("a text is split after every n endpoints, and lines keep their numbers", () => {
  const text = "# ours\na.test\n\nb.test:8443\n# theirs\nc.test\nd.test\n";
  const pieces = splitImport(text, "lines", at(2));
  expect(pieces.map(({ text: own, count }) => [own, count])).toEqual([
    ["a.test\n\nb.test:8443", 2],
    ["c.test\nd.test", 2],
  ]);
  // The first line of each piece: a.test is on line 2, c.test on line 6.
  expect(pieces.map(({ offset }) => 1 + offset)).toEqual([2, 6]);
});

test("each piece of a CSV has the header, and a row with a quoted line break stays whole", () => {
  const text = 'host,tags\r\na.test,"eu\nweb"\r\nb.test,\r\nc.test,us\r\n';
  const pieces = splitImport(text, "csv", at(2));
  expect(pieces.map(({ text: own }) => own)).toEqual(['host,tags\na.test,"eu\nweb"\nb.test,', "host,tags\nc.test,us"]);
  // Line 2 of each piece is the first after the header: a.test is on line 2 of the whole, c.test on line 5.
  expect(pieces.map(({ offset }) => 2 + offset)).toEqual([2, 5]);
});

test("a piece ends before it has too many characters or lines, with those of its header", () => {
  const texts = (text: string, format: "lines" | "csv", limits: object) =>
    splitImport(text, format, { ...at(9), ...limits }).map(({ text: own, offset }) => [own, offset]);
  expect(texts("a.test\nb.test\nc.test", "lines", { characters: 13 })).toEqual([
    ["a.test\nb.test", 0],
    ["c.test", 2],
  ]);
  const rows = "host\na.test\nb.test\nc.test";
  expect(texts(rows, "csv", { characters: 18 })).toEqual([
    ["host\na.test\nb.test", 0],
    ["host\nc.test", 2],
  ]);
  expect(texts(rows, "csv", { lines: 2 })).toEqual(["a", "b", "c"].map((name, index) => [`host\n${name}.test`, index]));
  expect(texts("a.test\n# b\n\nc.test", "lines", { lines: 3 })).toEqual([
    ["a.test", 0],
    ["c.test", 3],
  ]);
  expect(texts("much-longer.test\na.test", "lines", { characters: 8 })).toHaveLength(2);
});

test("an import has a piece for every 100 endpoints", () => {
  const pieces = splitImport("a.test\n".repeat(201), "lines");
  expect(pieces.map(({ count, offset }) => [count, offset])).toEqual([
    [100, 0],
    [100, 100],
    [1, 200],
  ]);
});

test("a text without endpoints has no pieces", () => {
  expect(splitImport("# nothing\n\n", "lines")).toEqual([]);
  expect(splitImport("host,port\n", "csv")).toEqual([]);
});

test("an unclosed quote makes one piece", () => {
  expect(splitImport('host\n"a.test\nb.test', "csv")).toMatchObject([{ count: 1 }]);
});

test("a text is a CSV if its first line has the column host", () => {
  expect(formatOf("Host,port\na.test,443")).toBe("csv");
  expect(formatOf('id,"host",port\n')).toBe("csv");
  expect(formatOf("host")).toBe("csv");
  expect(formatOf("host.example.com\nb.test")).toBe("lines");
});
