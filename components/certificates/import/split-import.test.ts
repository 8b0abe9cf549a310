import { expect, test } from "vitest";
import { formatOf, splitImport } from "@/components/certificates/import/split-import";

test("a text is split after every n endpoints, and lines keep their numbers", () => {
  const text = "# ours\na.test\n\nb.test:8443\n# theirs\nc.test\nd.test\n";
  const pieces = splitImport(text, "lines", 2);
  expect(pieces.map(({ text: own, count }) => [own, count])).toEqual([
    ["a.test\n\nb.test:8443", 2],
    ["c.test\nd.test", 2],
  ]);
  // The first line of each piece: a.test is on line 2, c.test on line 6.
  expect(pieces.map(({ offset }) => 1 + offset)).toEqual([2, 6]);
});

test("each piece of a CSV has the header, and a row with a quoted line break stays whole", () => {
  const text = 'host,tags\r\na.test,"eu\nweb"\r\nb.test,\r\nc.test,us\r\n';
  const pieces = splitImport(text, "csv", 2);
  expect(pieces.map(({ text: own }) => own)).toEqual(['host,tags\na.test,"eu\nweb"\nb.test,', "host,tags\nc.test,us"]);
  // Line 2 of each piece is the first after the header: a.test is on line 2 of the whole, c.test on line 5.
  expect(pieces.map(({ offset }) => 2 + offset)).toEqual([2, 5]);
});

test("a text without endpoints has no pieces", () => {
  expect(splitImport("# nothing\n\n", "lines", 10)).toEqual([]);
  expect(splitImport("host,port\n", "csv", 10)).toEqual([]);
});

test("an unclosed quote makes one piece", () => {
  expect(splitImport('host\n"a.test\nb.test', "csv", 10)).toMatchObject([{ count: 1 }]);
});

test("a text is a CSV if its first line has the column host", () => {
  expect(formatOf("Host,port\na.test,443")).toBe("csv");
  expect(formatOf('id,"host",port\n')).toBe("csv");
  expect(formatOf("host")).toBe("csv");
  expect(formatOf("host.example.com\nb.test")).toBe("lines");
});
