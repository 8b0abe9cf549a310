import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withKey } from "@/e2e/support/api";
import { bind } from "@/e2e/support/organization";
import { eventsOf, query } from "@/e2e/support/servers/databases";
import { runStart } from "@/e2e/support/servers/sealwatch";
import { sharedServer } from "@/e2e/support/servers/shared";
import { isLong } from "@/e2e/support/tier";
import { dailyTest } from "@/e2e/support/tier-tests";
import { until } from "@/e2e/support/until";
import type { ApiKey, ApiKeyWithSecret } from "@/lib/api-keys/contract";
import { apiKey, apiKeyWithSecret } from "@/lib/api-keys/contract";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import { systemPrincipal } from "@/lib/http/principal";
import { parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { parseNote } from "@/lib/sealed-log/note";

const server = sharedServer();

interface Organization {
  id: string;
  slug: string;
  name: string;
  plan: string;
  created_at: string;
}

const created = await server.cli<Organization>("org", "create", "--name", "Zürich & Söhne");
const org = ["--org", created.slug];

describe("the operator", () => {
  dailyTest("checks a sealed log, and prints and confirms its newest checkpoint", async () => {
    const made = await server.cli<Organization>("org", "create", "--name", "Sealed");
    const own = ["--org", made.slug];
    bind(server);
    const signed = await until(
      "the log is signed",
      async () => (await getSealedLog(systemPrincipal(made.id))).checkpoint,
    );
    expect(await server.cli("audit", "checkpoint", ...own)).toEqual({ checkpoint: signed });
    expect(await server.cli("audit", "verify", ...own)).toEqual({ size: parseCheckpoint(parseNote(signed).text).size });
    const [sealed] = await query<{ day: string }>(
      server,
      "audit",
      "SELECT to_char(sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM audit_seals WHERE organization_id = $1",
      [made.id],
    );
    const day = sealed?.day ?? "";
    expect(await server.cli("audit", "verify", ...own, "--day", day)).toEqual({ day, entries: expect.any(Number) });

    const file = join(server.dataDir, "kept.txt");
    writeFileSync(file, signed);
    const { origin, size } = parseCheckpoint(parseNote(signed).text);
    await query(server, "app", "DELETE FROM sealed_heads WHERE log = $1", [made.id]);
    await query(server, "audit", "UPDATE audit_seal_logs SET refused = 'unknown' WHERE organization_id = $1", [
      made.id,
    ]);
    // A relative name is that of the folder in which the command is called.
    const confirm = ["--cli", "audit", "checkpoint", "--confirm"];
    const there = { ...server.plain.env, INIT_CWD: server.dataDir };
    const { stdout } = await runStart([...confirm, "kept.txt", "--json"], there);
    expect(JSON.parse(stdout)).toEqual({ origin, size });
    const missing = await runStart([...confirm, "none.txt"], there);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringMatching(/^none.txt cannot be read: .*\n$/) });
    expect(await query(server, "app", "SELECT size::integer FROM sealed_heads WHERE log = $1", [made.id])).toEqual([
      { size },
    ]);
    expect(await getSealedLog(systemPrincipal(made.id))).toMatchObject({ refused: null });
    writeFileSync(file, signed.replace(`\n${size}\n`, `\n${size + 1}\n`));
    await expect(server.cli("audit", "checkpoint", "--confirm", file)).rejects.toThrow("signature");
    const ofAll = await server.cli<{ checkpoint: string }>("audit", "checkpoint");
    writeFileSync(file, ofAll.checkpoint);
    expect(await server.cli("audit", "checkpoint", "--confirm", file)).toMatchObject({
      origin: expect.stringMatching(/\/log\/1$/),
    });

    await query(server, "audit", "UPDATE audit_events SET action = 'api_key.get' WHERE organization_id = $1", [
      made.id,
    ]);
    await expect(server.cli("audit", "verify", ...own)).rejects.toThrow(
      /Entry 0, the event .* was changed after it was sealed/,
    );
    expect((await getSealedLog(systemPrincipal(made.id))).self_check).toMatchObject({
      result: "failed",
      first_wrong_index: 0,
    });
  });

  dailyTest("creates organizations, each with its own slug", async () => {
    expect(created).toEqual({
      id: expect.any(String),
      slug: expect.stringMatching(/^zurich-sohne/),
      name: "Zürich & Söhne",
      plan: "free",
      created_at: expect.any(String),
    });
    const twin = await server.cli<Organization>("org", "create", "--name", "Zürich & Söhne");
    expect(twin.slug).not.toBe(created.slug);
    const all = await server.cli<Organization[]>("org", "list");
    expect(all).toEqual(expect.arrayContaining([created, twin]));
  });

  dailyTest("creates, lists and revokes keys; the secret works immediately with the running server", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const flags = ["--permission", "admin", "--ip", "127.0.0.0/8", "--ip", "::1", "--expires-at", expiresAt];
    const key = await server.cli<ApiKeyWithSecret>("key", "create", ...org, "--name", "Ops", ...flags);
    expect(apiKeyWithSecret.safeParse(key).error).toBeUndefined();
    expect(key).toMatchObject({
      name: "Ops",
      permission: "admin",
      ip_whitelist: ["127.0.0.0/8", "::1"],
      expires_at: expiresAt,
      created_by: { type: "system", id: null, name: "Operator" },
    });
    const api = withKey(server, key.secret);
    expect((await api.get("/api-keys")).status).toBe(200);

    const listed = await server.cli<ApiKey[]>("key", "list", "--org", created.id);
    expect(listed.map(({ id }) => id)).toEqual([key.id]);
    for (const item of listed) expect(apiKey.safeParse(item).error).toBeUndefined();

    const revoked = await server.cli<ApiKey>("key", "revoke", ...org, key.id);
    expect(revoked.status).toBe("revoked");
    expect((await api.get("/api-keys")).error.code).toBe("API_KEY_REVOKED");

    const events = await until("all commands are in the log", async () => {
      const found = (await eventsOf(server, created.id)).filter(({ auth_type }) => auth_type === "system");
      return found.length >= 4 && found;
    });
    expect(events.map(({ action, resource_id, flags, method }) => [action, resource_id, flags, method])).toEqual([
      ["organization.create", created.id, [], null],
      ["api_key.create", key.id, ["key_created"], null],
      ["api_key.list", null, [], null],
      ["api_key.revoke", key.id, ["key_revoked"], null],
    ]);
  });

  dailyTest("gets exactly one JSON document on standard output, and plain lines without --json", async () => {
    const json = await server.command(["org", "list", "--json"]);
    expect(json.stdout.endsWith("]\n")).toBe(true);
    expect(json.stdout.trim().split("\n")).toHaveLength(1);
    const plain = await server.command(["org", "list"]);
    expect(plain.stdout).toContain(`${created.id}  ${created.slug}  Zürich & Söhne\n`);
  });

  const refused: [string[], number, string][] = [
    [["nonsense"], 2, "Usage:"],
    [["org", "create"], 1, "--name is missing."],
    [["org", "create", "--name", "Acme", "Corp"], 2, "Unexpected arguments: Corp\nUsage: org create --name NAME\n"],
    [["key", "list", "--org", "nobody"], 1, 'there is no organization "nobody"'],
    [["key", "create", ...org, "--name", "x", "--ip", "10.0.0.1/8"], 1, "use 10.0.0.0/8 instead"],
  ];
  const rarelyRefused: [string[], number, string][] = [
    [[], 2, "Usage:"],
    [["org", "create", "--name", ""], 1, "--name"],
    [["audit", "verify", ...org, "--day", "yesterday"], 1, "--day: must be a day such as 2026-11-23"],
    [["audit", "verify", ...org, "--day", "2999-01-01"], 1, "has not begun yet"],
    [["org", "list", "--loud"], 2, "--loud"],
    [["key", "create", ...org, "--name", "x", "--permission", "root"], 1, "permission"],
    [["key", "create", ...org, "--name", "x", "--expires-at", "2020-01-01T00:00:00Z"], 1, "must be in the future"],
    [["key", "revoke", ...org, "x"], 1, "KEY_ID"],
    [["doctor", "--org", "x"], 2, "--org"],
    [["backup", "one", "two"], 2, "backup FOLDER"],
    [["audit", "checkpoint", ...org, "--confirm", "kept.txt"], 2, "takes no --org"],
    [["member", "relink", ...org, "--email", "a@example.com", "--subject", " "], 1, "--subject: "],
    [["key", "revoke", ...org, created.id], 1, "There is no such resource."],
  ];
  test.each(isLong ? rarelyRefused : refused)(
    "%j is refused with a sentence and no standard output",
    async (args, code, sentence) => {
      const result = await server.command([...args, "--json"]);
      expect([result.code, result.stdout]).toEqual([code, ""]);
      expect(result.stderr).toContain(sentence);
      expect(result.stderr).not.toMatch(/^ +at /m);
    },
  );

  dailyTest("sees what is missing or wrong before databases are created or migrated", async () => {
    const DATA_DIR = join(server.dataDir, "of-no-command");
    const [missing, surplus] = await Promise.all(
      [
        ["--plan", "team"],
        ["--org", "acme", "--plan", "team", "now"],
      ].map((given) => runStart(["--cli", "org", "set-plan", ...given], { DATA_DIR })),
    );
    expect(missing).toMatchObject({ code: 1, stderr: "--org is missing.\n" });
    expect(surplus).toMatchObject({ code: 2, stderr: expect.stringContaining("Unexpected arguments: now\n") });
    expect(existsSync(DATA_DIR)).toBe(false);
  });
});
