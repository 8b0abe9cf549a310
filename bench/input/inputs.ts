import { random } from "@/bench/audit/events";

const MIB = 1024 * 1024;

/** A request that tries to block the process for other requests. */
interface HostileInput {
  name: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  body: Buffer | null;
}

/** `part`, repeated as often as it fits into `bytes`, between `start` and `end`. */
function fill(start: string, part: string, end: string, bytes = 10 * MIB): Buffer {
  const times = Math.floor((bytes - Buffer.byteLength(start + end)) / Buffer.byteLength(part));
  return Buffer.from(start + part.repeat(times) + end);
}

/** The same with `count` parts, for inputs just within the limits. */
function times(start: string, count: number, part: (n: number) => string, end: string): Buffer {
  return Buffer.from(`${start}${Array.from({ length: count }, (_, n) => part(n)).join()}${end}`);
}

const next = random(7);
/** The midpoint between two doubles, which the parser recognizes only with integers of a thousand bits. */
const HARD_TO_ROUND = "2.2250738585072011360574097967091319759348195463516456480234261097248222220211e-308";

const bulk = { method: "POST", path: "/uptime/bulk" };
const bulkEndpoints = { method: "POST", path: "/certificates/endpoints/bulk" };
const importText = { method: "POST", path: "/certificates/endpoints/bulk/import" };
const text = (format: "lines" | "csv", value: string) =>
  Buffer.from(JSON.stringify({ format, dry_run: true, text: value }));
/** Monitors and endpoints are never checked, because checks would be measured too. */
const monitorWith = (n: number, fields: object) =>
  JSON.stringify({
    name: `m${n}`,
    type: "http",
    target: `https://h${n}.example.com/`,
    tags: ["a", "b"],
    headers: { "x-a": "b" },
    paused: true,
    ...fields,
  });
const monitor = (n: number) => monitorWith(n, {});
const changedMonitor = (n: number) => monitorWith(n, { tags: ["c"] });
const largeMonitor = (n: number) =>
  monitorWith(n, {
    name: `l${n}`,
    headers: Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, "v".repeat(2_000)])),
  });
const target = (n: number) => JSON.stringify({ host: `h${n}.test`, reported: true, tags: ["a", "b"] });
const changedTarget = (n: number) => JSON.stringify({ host: `h${n}.test`, reported: true, tags: ["c"] });

/** Hostile inputs, grouped by the part that they attack. */
export const inputs: HostileInput[] = [
  { name: "depth: 5,000,000 open brackets", ...bulk, body: fill('{"items":', "[", "", 5 * MIB) },
  {
    name: "depth: 64 levels, 100,000 values",
    ...bulk,
    body: times('{"items":[', 1_500, () => `${"[".repeat(62)}${"]".repeat(62)}`, "]}"),
  },
  { name: "width: 2,000,000 empty objects", ...bulk, body: fill('{"items":[', "{},", "{}]}", 6 * MIB) },
  { name: "width: 99,990 empty objects", ...bulk, body: times('{"items":[', 99_990, () => "{}", "]}") },
  {
    name: "width: 99,990 numbers of 90 digits",
    ...bulk,
    body: times('{"items":[', 99_990, () => "1".repeat(90), "]}"),
  },
  {
    name: "width: 99,990 numbers that are hard to round",
    ...bulk,
    body: times('{"items":[', 99_990, () => HARD_TO_ROUND, "]}"),
  },
  { name: "names: 900,000 unknown", ...bulk, body: times("{", 900_000, (n) => `"${n}":1`, "}") },
  {
    name: "names: 990 unknown of 10,000 characters",
    ...bulk,
    body: times("{", 990, (n) => `"${"k".repeat(10_000)}${n}":1`, "}"),
  },
  {
    name: "names: 32 of 990 in 3,000 objects, in any order",
    ...bulk,
    body: times(
      '{"items":[',
      3_000,
      () => times("{", 32, () => `"n${Math.floor(next() * 990)}":1`, "}").toString(),
      "]}",
    ),
  },
  { name: "names: one, of 10 MiB", ...bulk, body: fill('{"', "k", '":1}') },
  { name: "names: one, 99,990 times", ...bulk, body: times("{", 99_990, () => '"items":1', "}") },
  { name: "text: 10 MiB of ASCII", ...bulk, body: fill('{"items":["', "x", '"]}') },
  { name: "text: 10 MiB of two-byte characters", ...bulk, body: fill('{"items":["', "é", '"]}') },
  { name: "text: 10 MiB of emoji", ...bulk, body: fill('{"items":["', "🔏", '"]}') },
  { name: "text: 10 MiB of \\n", ...bulk, body: fill('{"items":["', "\\n", '"]}') },
  {
    name: "text: 99,990 of 20 \\n and 60 letters",
    ...bulk,
    body: times('{"items":[', 99_990, () => `"${"\\n".repeat(20)}${"x".repeat(60)}"`, "]}"),
  },
  { name: "text: 10 MiB of \\u0041", ...bulk, body: fill('{"items":["', "\\u0041", '"]}') },
  { name: "text: 10 MiB of half surrogates", ...bulk, body: fill('{"items":["', "\\ud83d", '"]}') },
  { name: "numbers: one of 10 MiB of digits", ...bulk, body: fill('{"items":[', "9", "]}") },
  { name: "numbers: an exponent of 10 MiB", ...bulk, body: fill('{"items":[1e', "9", "]}") },
  { name: "no JSON: 10 MiB of white space", ...bulk, body: fill("", " ", "") },
  { name: "no JSON: 10 MiB, wrong at the end", ...bulk, body: fill('{"items":["', "x", '"],}') },
  {
    name: "no UTF-8, wrong at the end",
    ...bulk,
    body: Buffer.concat([fill('{"items":["', "é", ""), Buffer.from([0xff])]),
  },
  {
    name: "10 MiB that are not JSON by type",
    ...bulk,
    headers: { "content-type": "text/plain" },
    body: fill("", "x", ""),
  },
  {
    name: "10 MiB with an Idempotency-Key",
    ...bulk,
    headers: { "idempotency-key": "bench" },
    body: fill('{"items":["', "x", '"]}'),
  },
  { name: "1,000 good monitors, dry run", ...bulk, body: times('{"dry_run":true,"items":[', 1_000, monitor, "]}") },
  { name: "1,000 good monitors, new", ...bulk, body: times('{"items":[', 1_000, monitor, "]}") },
  { name: "1,000 good monitors, unchanged", ...bulk, body: times('{"items":[', 1_000, monitor, "]}") },
  { name: "1,000 good monitors, changed", ...bulk, body: times('{"items":[', 1_000, changedMonitor, "]}") },
  {
    name: "1,000 good monitors of 10 KB, dry run",
    ...bulk,
    body: times('{"dry_run":true,"items":[', 1_000, largeMonitor, "]}"),
  },
  {
    name: "1,000 good endpoints, dry run",
    ...bulkEndpoints,
    body: times('{"dry_run":true,"items":[', 1_000, target, "]}"),
  },
  { name: "1,000 good endpoints, new", ...bulkEndpoints, body: times('{"items":[', 1_000, target, "]}") },
  { name: "1,000 good endpoints, unchanged", ...bulkEndpoints, body: times('{"items":[', 1_000, target, "]}") },
  { name: "1,000 good endpoints, changed", ...bulkEndpoints, body: times('{"items":[', 1_000, changedTarget, "]}") },
  {
    name: "import: 1,000 good lines, dry run",
    ...importText,
    body: text("lines", Array.from({ length: 1_000 }, (_, n) => `i${n}.test`).join("\n")),
  },
  {
    name: "1,000 items with 9 unknown fields each",
    ...bulk,
    body: times(
      '{"items":[',
      1_000,
      (n) => JSON.stringify(Object.fromEntries(Array.from({ length: 9 }, (_, f) => [`f${f}`, n]))),
      "]}",
    ),
  },
  {
    name: "1,000 items of 10 KB text each",
    ...bulkEndpoints,
    body: times('{"items":[', 1_000, () => JSON.stringify({ host: `${"a-".repeat(5_000)}.` }), "]}"),
  },
  {
    name: "1,000 endpoints with 90 tags each",
    ...bulkEndpoints,
    body: times(
      '{"items":[',
      1_000,
      (n) => JSON.stringify({ host: `h${n}.test`, tags: Array.from({ length: 90 }, (_, t) => `t${t}`) }),
      "]}",
    ),
  },
  {
    name: "99,990 ids",
    method: "POST",
    path: "/uptime/bulk/check",
    body: times('{"ids":[', 99_990, () => '"01a1fcff-6680-7420-917f-1d9e34253279"', "]}"),
  },
  { name: "import: 1,000,000 empty lines", ...importText, body: text("lines", "\n".repeat(1_000_000)) },
  { name: "import: one line of 1,000,000 characters", ...importText, body: text("lines", "a:".repeat(500_000)) },
  { name: "import: comment signs without a comment", ...importText, body: text("lines", " # #".repeat(250_000)) },
  { name: "import: CSV of 1,000,000 commas", ...importText, body: text("csv", ",".repeat(1_000_000)) },
  { name: "import: CSV of one quoted cell", ...importText, body: text("csv", `host\n"${'""'.repeat(490_000)}"`) },
  {
    name: "PEM: 1 MiB of begin lines",
    method: "POST",
    path: "/certificates",
    body: Buffer.from(JSON.stringify({ pem: "-----BEGIN CERTIFICATE-----\n".repeat(35_000) })),
  },
  {
    name: "PEM: 1 MiB between one pair",
    method: "POST",
    path: "/certificates",
    body: Buffer.from(
      JSON.stringify({ pem: `-----BEGIN CERTIFICATE-----\n${"A".repeat(1_000_000)}\n-----END CERTIFICATE-----\n` }),
    ),
  },
  {
    name: "PEM: as trust store",
    method: "POST",
    path: "/certificates/trust-stores",
    body: Buffer.from(
      JSON.stringify({
        name: "x",
        pem: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".repeat(15_000),
      }),
    ),
  },
  {
    name: "IP whitelist of 9,990 entries",
    method: "POST",
    path: "/api-keys",
    body: times('{"name":"x","ip_whitelist":[', 9_990, () => '"2001:db8::/32"', "]}"),
  },
  {
    name: "IP whitelist of 100 entries of 10 KB",
    method: "POST",
    path: "/api-keys",
    body: times('{"name":"x","ip_whitelist":[', 100, () => `"${"1.".repeat(5_000)}"`, "]}"),
  },
  {
    name: "sources: 9,990 unknown",
    method: "POST",
    path: "/subdomains/domains",
    body: times('{"name":"x.test","sources":[', 9_990, () => '"x"', "]}"),
  },
  {
    name: "a host of 1 MiB of labels",
    method: "POST",
    path: "/certificates/endpoints",
    body: Buffer.from(JSON.stringify({ host: "a.".repeat(500_000) })),
  },
  {
    name: "a target of 1 MiB",
    method: "POST",
    path: "/uptime",
    body: Buffer.from(JSON.stringify({ name: "x", type: "http", target: `https://${"a@".repeat(500_000)}` })),
  },
  { name: "a query of 15 KB of parameters", method: "GET", path: `/uptime?${"a=&".repeat(5_000)}`, body: null },
  { name: "a query of 15 KB of escapes", method: "GET", path: `/uptime?tag=${"%e9".repeat(5_000)}`, body: null },
  { name: "filters of 15 KB", method: "GET", path: `/audit-logs?ip=${"1.1.1.1,".repeat(1_800)}`, body: null },
  {
    name: "headers: 3,000 of them",
    method: "GET",
    path: "/uptime",
    headers: { "x-forwarded-for": "1,".repeat(6_000) },
    body: null,
  },
  {
    name: "Authorization of 14 KB",
    method: "GET",
    path: "/uptime",
    headers: { authorization: `Bearer ${" x".repeat(7_000)}` },
    body: null,
  },
];
