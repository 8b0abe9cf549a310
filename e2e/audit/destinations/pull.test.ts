import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { grow } from "@/e2e/audit/destinations/streaming";
import { newOrganization } from "@/e2e/support/organization";
import { findProgram } from "@/e2e/support/servers/program";
import { sharedServer } from "@/e2e/support/servers/shared";
import type { AuditEvent } from "@/lib/audit-logs/contract";

const server = sharedServer();

const hasTools = findProgram(["curl"]) !== undefined && findProgram(["jq"]) !== undefined;

const cursorOf = (answer: unknown) =>
  (answer as { pagination: { next_cursor: string | null } }).pagination.next_cursor ?? "";

test("events are listed by their index, from page to page and after the last one that a collector has", async () => {
  const owner = await newOrganization(server);
  await grow(owner, 12);
  const [last = ""] = await grow(owner, 1, "/last");
  const first = await owner.admin.get<AuditEvent[]>("/audit-logs?order=sealed&limit=5");
  expect(first.status, first.text).toBe(200);
  expect(first.data.map(({ seal }) => seal?.index)).toEqual([0, 1, 2, 3, 4]);
  const page = await owner.admin.get<AuditEvent[]>(`/audit-logs?order=sealed&limit=5&cursor=${cursorOf(first.json)}`);
  expect(page.data.map(({ seal }) => seal?.index)).toEqual([5, 6, 7, 8, 9]);
  const after = await owner.admin.get<AuditEvent[]>("/audit-logs?order=sealed&after_index=9&limit=200");
  expect(after.data[0]?.seal?.index).toBe(10);
  const found = after.data.find(({ id }) => id === last);
  expect(found).toMatchObject({ request: { path: "/last" }, seal: { epoch: 1, redaction: null } });
  const { context: _, ...one } = (await owner.admin.get<AuditEvent & { context: unknown }>(`/audit-logs/${last}`)).data;
  const { body: _body, body_encoding: _encoding, ...request } = one.request as Record<string, unknown>;
  expect(found).toEqual({ ...one, request });
  const begun = await owner.admin.get("/audit-logs?order=sealed&after_index=2&limit=2");
  const on = `/audit-logs?order=sealed&limit=2&cursor=${cursorOf(begun.json)}`;
  const next = await owner.admin.get<AuditEvent[]>(`${on}&after_index=2`);
  expect(next.data.map(({ seal }) => seal?.index)).toEqual([5, 6]);
  const others = [on, `${on}&after_index=3`, `${on}&after_index=2&epoch=1`].map((path) => owner.admin.get(path));
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([400, 400, 400]);
  const filtered = await owner.admin.get<AuditEvent[]>("/audit-logs?order=sealed&path=/last");
  expect(filtered.data.map(({ id }) => id)).toEqual([last]);
});

test.each([
  ["order=sealed&since=2026-01-01T00:00:00Z", "since"],
  ["after_index=3", "after_index"],
  ["epoch=1", "epoch"],
  ["order=sealed&after_index=-2", "after_index"],
])("%s is refused", async (asked, path) => {
  const owner = await newOrganization(server);
  const refused = await owner.admin.get(`/audit-logs?${asked}`);
  expect(refused.status).toBe(400);
  expect(refused.error.issues?.map((issue) => issue.path)).toEqual([path]);
});

test.skipIf(!hasTools)("the script in the documentation prints each event once, from run to run", async () => {
  const owner = await newOrganization(server);
  const shown = /```sh\n(#!\/bin\/sh\n[\s\S]+?)```/.exec(readFileSync("docs/operations/destinations.md", "utf8"))?.[1];
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-pull-"));
  try {
    writeFileSync(join(folder, "pull.sh"), shown ?? "exit 1");
    const env = {
      ...process.env,
      SEALWATCH: server.url,
      SEALWATCH_KEY: owner.readKey.secret,
      STATE: join(folder, "state"),
    };
    const run = () =>
      execFileSync("sh", [join(folder, "pull.sh")], { env, encoding: "utf8" })
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as AuditEvent);
    const first = await grow(owner, 450);
    const printed = run();
    expect(printed.map(({ seal }) => seal?.index)).toEqual(printed.map((_, index) => index));
    expect(printed.map(({ id }) => id)).toEqual(expect.arrayContaining(first));
    const [more = ""] = await grow(owner, 1, "/more");
    const again = run();
    expect(again[0]?.seal?.index).toBe(printed.length);
    expect(again.map(({ id }) => id)).toContain(more);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
