import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { withKey } from "@/e2e/support/api";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventsOf } from "@/e2e/support/servers/databases";
import { findProgram } from "@/e2e/support/servers/program";
import { runStart } from "@/e2e/support/servers/sealwatch";
import { sharedServer } from "@/e2e/support/servers/shared";
import { makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { dailyDescribe, dailyTest, longTest } from "@/e2e/support/tier-tests";

const server = sharedServer();
const folder = mkdtempSync(join(tmpdir(), "sealwatch-apply-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newFile = (suffix: string) => join(folder, `${++files}.${suffix}`);

function written(text: string): string {
  const file = newFile("yaml");
  writeFileSync(file, text);
  return file;
}

interface Document {
  organization: { id: string; slug: string };
  plan: {
    steps: {
      act: string;
      kind: string;
      name: string;
      id?: string;
      changes?: { field: string; before: unknown; after: unknown }[];
      sends_secrets?: boolean;
    }[];
    unchanged: number;
    kept: { kind: string; id: string; name: string }[];
  };
  done?: number;
  failed?: { act: string; kind: string; name: string; reason: string } | null;
  not_done?: number;
}

const environmentOf = (secret: string, more: Record<string, string> = {}) => ({
  SEALWATCH_URL: server.url,
  SEALWATCH_API_KEY: secret,
  ROUTING_KEY: "R".repeat(32),
  SHOP_TOKEN: "shop-token-1",
  ...more,
});

/** Runs `apply` with a key of the organization. */
async function apply(
  { adminKey }: Pick<Organization, "adminKey">,
  args: readonly string[],
  more: Record<string, string> = {},
) {
  const { code, stdout, stderr } = await runStart(
    ["--cli", "apply", ...args, "--json"],
    environmentOf(adminKey.secret, more),
  );
  return { code, stderr, stdout, document: (stdout === "" ? null : JSON.parse(stdout)) as Document };
}

const inShort = ({ plan }: Document) => plan.steps.map(({ act, kind, name }) => `${act} ${kind} ${name}`);

const complete = `
version: 1
notification_channels:
  - name: On-call
    type: pagerduty
    settings: { routing_key: "\${ROUTING_KEY}" }
  - name: Hook
    type: webhook
    settings: { url: https://hooks.example.invalid/a }
    enabled: false
endpoints:
  - host: Shop.example.invalid
    tags: [shop, EU]
    reported: true
    owner: Platform
  - host: mail.example.invalid
    protocol: smtp
    port: 587
    sni: mail.example.invalid
    reported: true
    expected_issuers: ["Let's Encrypt"]
monitors:
  - name: Shop
    type: http
    target: https://shop.example.invalid/health?a=1
    headers: { X-Token: "\${SHOP_TOKEN}", Accept: text/html }
    authentication: { type: basic, username: watch, password: "\${SHOP_TOKEN}" }
    expected_json: [{ path: $.status, comparison: equals, value: ok }]
    expected_headers: { Content-Type: html }
    paused: true
  - name: Names
    type: dns
    target: example.invalid
    dns: { record_type: A, expect_nxdomain: true }
    paused: true
  - name: Port
    type: tcp
    target: db.example.invalid:5432
    tcp: { tls: true, server_name: db.example.invalid }
    paused: true
  - name: Backup
    type: heartbeat
    interval_seconds: 86400
alert_rules:
  - name: Certificates expire
    selector: { tags: [shop] }
    condition: { type: time_left }
    steps:
      - { days_left: 20, severity: warning, channels: [Hook] }
      - { days_left: 5, severity: critical, channels: [On-call, Hook] }
    quiet_hours: { start: "22:00", end: "06:00", time_zone: Europe/Berlin }
  - name: Sign-ins
    condition: { type: event_count, query: { action: api_key.create }, count: 3 }
    steps: [{ severity: info }]
    enabled: false
api_keys:
  - name: ci
    permission: admin
    scope: obtained_certificates
    ip_whitelist: [192.0.2.0/24, 127.0.0.1]
    expires_at: 2099-01-01T00:00:00+02:00
  - name: Admin
    permission: admin
`;

dailyTest(
  "a dry run changes nothing, then all is created with its secrets in a file, and the next run finds nothing to do",
  async () => {
    const organization = await newOrganization(server);
    const file = written(complete);
    const dry = await apply(organization, ["-f", file, "--dry-run"]);
    expect([dry.code, dry.stderr]).toEqual([2, ""]);
    expect(inShort(dry.document)).toEqual([
      "create notification_channels On-call",
      "create notification_channels Hook",
      "create endpoints shop.example.invalid:443",
      "create endpoints mail.example.invalid:587",
      "create monitors Shop",
      "create monitors Names",
      "create monitors Port",
      "create monitors Backup",
      "create alert_rules Certificates expire",
      "create alert_rules Sign-ins",
      "create api_keys ci",
    ]);
    const channels = async () => (await organization.admin.get<{ name: string }[]>("/notification-channels")).data;
    const before = (await channels()).map(({ name }) => name);
    expect(before).not.toContain("On-call");

    const secretsFile = newFile("jsonl");
    const refusedWithout = await apply(organization, ["-f", file, "--yes"]);
    expect([refusedWithout.code, refusedWithout.stderr]).toEqual([
      1,
      expect.stringContaining("add --secrets-out FILE"),
    ]);
    writeFileSync(secretsFile, "kept");
    const refusedOver = await apply(organization, ["-f", file, "--yes", "--secrets-out", secretsFile]);
    expect([refusedOver.code, refusedOver.stderr]).toEqual([1, expect.stringContaining("exists")]);
    const nowhere = await apply(organization, ["-f", file, "--yes", "--secrets-out", join(folder, "no", "file")]);
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining("cannot be written")]);
    const unconfirmed = await apply(organization, ["-f", file, "--secrets-out", newFile("jsonl")]);
    expect([unconfirmed.code, unconfirmed.stderr]).toEqual([1, expect.stringContaining("--yes confirms")]);
    expect(readFileSync(secretsFile, "utf8")).toBe("kept");
    expect((await channels()).map(({ name }) => name)).toEqual(before);

    rmSync(secretsFile);
    const applied = await apply(organization, ["-f", file, "--yes", "--secrets-out", secretsFile]);
    expect([applied.code, applied.document.done, applied.document.failed]).toEqual([0, 11, null]);
    expect(statSync(secretsFile).mode & 0o777).toBe(0o600);
    const lines = readFileSync(secretsFile, "utf8").trim().split("\n");
    const secrets = lines
      .map((line) => JSON.parse(line) as Record<string, string>)
      .filter(({ id }) => id !== undefined);
    expect(secrets).toEqual([
      { kind: "channel", name: "Hook", id: expect.any(String), signing_secret: expect.stringMatching(/^whsec_/) },
      { kind: "monitor", name: "Backup", id: expect.any(String), heartbeat_url: expect.stringContaining("http") },
      { kind: "key", name: "ci", id: expect.any(String), secret: expect.any(String) },
    ]);
    const secret = secrets[2]?.secret ?? "";
    for (const { stdout, stderr } of [applied, dry]) {
      for (const hidden of [secret, secrets[0]?.signing_secret ?? "", "shop-token-1", "R".repeat(32)])
        expect(`${stdout}${stderr}`).not.toContain(hidden);
    }
    // It exists, and may only hand in certificates.
    expect((await withKey(server, secret).get("/uptime")).status).toBe(403);
    expect((await channels()).find(({ name }) => name === "Hook")).toMatchObject({ state: "disabled" });

    const again = await apply(organization, ["-f", file, "--yes", "--secrets-out", secretsFile]);
    expect([again.code, again.document.plan.steps, again.document.plan.unchanged]).toEqual([0, [], 12]);
    const dryAgain = await apply(organization, ["-f", file, "--dry-run"]);
    expect(dryAgain.code).toBe(0);

    const actions = (await eventsOf(server, organization.id)).map(({ action }) => action);
    expect(actions.filter((action) => action === "notification_channel.create")).toHaveLength(2);
  },
);

const small = (interval: number, target = "https://a.example.invalid/") => `
version: 1
endpoints: []
monitors:
  - name: A
    type: http
    target: ${target}
    interval_seconds: ${interval}
    headers: { X-Token: "\${SHOP_TOKEN}" }
    paused: true
`;

dailyDescribe("an organization that has been applied", async () => {
  const organization = await newOrganization(server);

  test("gets the fields that differ, and secrets only when that is needed or asked for", async () => {
    expect((await apply(organization, ["-f", written(small(60)), "--yes"])).code).toBe(0);
    const changed = await apply(organization, ["-f", written(small(120)), "--yes"]);
    expect(changed.document.plan.steps).toEqual([
      {
        act: "change",
        kind: "monitors",
        name: "A",
        id: expect.any(String),
        changes: [{ field: "interval_seconds", before: 60, after: 120 }],
        sends_secrets: false,
      },
    ]);
    expect(changed.code).toBe(0);
    const other = { SHOP_TOKEN: "shop-token-2" };
    expect((await apply(organization, ["-f", written(small(120)), "--dry-run"], other)).code).toBe(0);
    const resent = await apply(organization, ["-f", written(small(120)), "--yes", "--secrets"], other);
    expect([resent.code, resent.document.plan.steps]).toEqual([
      0,
      [expect.objectContaining({ act: "change", changes: [], sends_secrets: true })],
    ]);
    // Another origin requires the headers again.
    const moved = await apply(organization, ["-f", written(small(120, "https://b.example.invalid/")), "--yes"]);
    expect([moved.code, moved.document.plan.steps[0]?.sends_secrets]).toEqual([0, true]);
  });

  test("loses what the manifest does not declare only with --prune, in lists that the manifest has", async () => {
    const extra = { host: "extra.example.invalid", reported: true };
    expect((await organization.admin.post("/certificates/endpoints", extra)).status).toBe(201);
    const file = written(small(120, "https://b.example.invalid/"));
    const kept = await apply(organization, ["-f", file, "--yes"]);
    expect([kept.code, kept.document.plan.steps]).toEqual([0, []]);
    expect(kept.document.plan.kept).toMatchObject([{ kind: "endpoints", name: "extra.example.invalid:443" }]);
    const pruned = await apply(organization, ["-f", file, "--yes", "--prune"]);
    expect(inShort(pruned.document)).toEqual(["delete endpoints extra.example.invalid:443"]);
    expect((await organization.admin.get<unknown[]>("/certificates/endpoints")).data).toEqual([]);
    const [rule] = (await organization.admin.get<{ name: string }[]>("/alert-rules")).data;
    expect(rule, "no list of rules in the manifest, so those of the organization stay").toBeDefined();
  });

  test("never loses the key of the run, and an agent keeps its own", async () => {
    await organization.newKey({ name: "Old" });
    const agent = await organization.admin.post<{ api_key_id: string }>("/certificates/agents", { name: "Basement" });
    const file = written("version: 1\napi_keys: []\n");
    const { code, document } = await apply(organization, ["-f", file, "--yes", "--prune"]);
    expect([code, inShort(document).sort()]).toEqual([0, ["delete api_keys Old", "delete api_keys Read"]]);
    expect(document.plan.kept).toMatchObject([{ id: organization.adminKey.id }]);
    expect((await organization.admin.get(`/api-keys/${agent.data.api_key_id}`)).data).toMatchObject({
      status: "active",
    });
  });

  test("is not touched by a manifest of another organization, a read key or a wrong manifest", async () => {
    const other = written("version: 1\norganization: somebody-else\nmonitors: []\n");
    const foreign = await apply(organization, ["-f", other, "--yes", "--prune"]);
    expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringContaining("somebody-else")]);

    const wrong = written(
      "version: 1\nmonitors:\n  - name: A\n    type: htp\n  - name: B\n    type: tcp\n    target: nope\n",
    );
    const invalid = await apply(organization, ["-f", wrong, "--yes", "--prune"]);
    expect([invalid.code, invalid.stderr]).toEqual([
      1,
      expect.stringMatching(/^line 4: monitors\.0\.type: .*\nline 7: monitors\.1\.target: /),
    ]);

    const reader = await organization.newKey({ name: "Reader" });
    const file = written(small(300));
    const dry = await apply({ adminKey: reader }, ["-f", file, "--dry-run"]);
    expect([dry.code, inShort(dry.document)]).toEqual([2, ["change monitors A"]]);
    const refused = await apply({ adminKey: reader }, ["-f", file, "--yes"]);
    expect([refused.code, refused.document.failed]).toEqual([
      1,
      { act: "change", kind: "monitors", name: "A", reason: expect.stringContaining("METHOD_NOT_ALLOWED") },
    ]);
  });
});

longTest("what one step is refused for stops the run, and says what is done and what is not", async () => {
  const organization = await newOrganization(server);
  const monitors = [60, 1, 60].map(
    (seconds, at) => `  - { name: M${at}, type: heartbeat, interval_seconds: ${Math.max(30, seconds)} }\n`,
  );
  // The plan of the organization does not permit 30 seconds.
  const file = written(`version: 1\nmonitors:\n${monitors.join("")}`);
  const stopped = await apply(organization, ["-f", file, "--yes", "--secrets-out", newFile("jsonl")]);
  expect([stopped.code, stopped.document.done, stopped.document.not_done]).toEqual([1, 1, 1]);
  expect(stopped.document.failed).toMatchObject({ name: "M1", reason: expect.stringContaining("PLAN_LIMIT_REACHED") });
  expect(stopped.stderr).toContain("1 done, 1 not begun:\n  + monitor   M2");
  const mended = written(`version: 1\nmonitors:\n${monitors.join("").replace("30", "60")}`);
  const continued = await apply(organization, ["-f", mended, "--yes", "--secrets-out", newFile("jsonl")]);
  expect([continued.code, inShort(continued.document)]).toEqual([0, ["create monitors M1", "create monitors M2"]]);
});

/** A way to the server on which the response to the first POST of a path is lost. */
async function lossyUrl(path: string): Promise<{ url: string; close: () => void }> {
  let isLost = false;
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
    const answer = await fetch(server.url + request.url, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (!isLost && request.method === "POST" && request.url === path) {
      isLost = true;
      response.destroy();
      return;
    }
    const kept = ["content-type", "etag", "retry-after"].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    response.writeHead(answer.status, Object.fromEntries(kept)).end(body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { url, close: () => proxy.close().closeAllConnections() };
}

longTest("a key whose secret was lost with a response is created once, and gets another secret", async () => {
  const organization = await newOrganization(server);
  const file = written("version: 1\napi_keys:\n  - { name: deploy, permission: admin }\n");
  const secretsFile = newFile("jsonl");
  const { url, close } = await lossyUrl("/api/v1/api-keys");
  const args = ["-f", file, "--yes", "--secrets-out", secretsFile];
  const { code, stderr } = await apply(organization, args, { SEALWATCH_URL: url }).finally(close);
  expect([code, stderr]).toEqual([0, expect.stringContaining("cannot be reached")]);
  const [, made] = readFileSync(secretsFile, "utf8").trim().split("\n");
  const { secret, id } = JSON.parse(made ?? "") as { secret: string; id: string };
  const keys = await withKey(server, secret).get<{ name: string; id: string }[]>("/api-keys");
  expect(keys.data.filter(({ name }) => name === "deploy").map((key) => key.id)).toEqual([id]);
});

longTest(
  "references are names or ids, client certificates are compared by their fingerprint, and channels keep secrets",
  async () => {
    const organization = await newOrganization(server);
    const authority = await makeAuthority("Applied");
    const [client, renewed] = await Promise.all(
      ["a.example", "b.example"].map((name) => authority.leaf({ sans: [name] })),
    );
    if (client === undefined || renewed === undefined) throw new Error("two certificates were made");
    const store = await organization.admin.post<{ id: string }>("/certificates/trust-stores", {
      name: "Internal CA",
      pem: authority.root.pem,
    });
    await organization.admin.post("/certificates/agents", { name: "Basement" });
    const manifestOf = (store: string, topic: string) =>
      written(`
version: 1
notification_channels:
  - { name: Push, type: ntfy, settings: { topic: ${topic}, token: "\${SHOP_TOKEN}" } }
endpoints:
  - { host: intranet.example.invalid, trust_store: ${store}, agent: Basement }
monitors:
  - name: Intranet
    type: http
    target: https://intranet.example.invalid/
    trust_store: ${store}
    authentication: { type: client_certificate, certificate: "\${CERTIFICATE}", private_key: "\${PRIVATE_KEY}" }
    paused: true
`);
    const environment = { CERTIFICATE: client.pem, PRIVATE_KEY: client.keyPem };
    const made = await apply(organization, ["-f", manifestOf("Internal CA", "one"), "--yes"], environment);
    expect([made.code, made.document.done]).toEqual([0, 3]);
    const again = await apply(organization, ["-f", manifestOf(store.data.id, "one"), "--dry-run"], environment);
    expect([again.code, again.document.plan.unchanged]).toEqual([0, 3]);
    const other = { CERTIFICATE: renewed.pem, PRIVATE_KEY: renewed.keyPem };
    const changed = await apply(organization, ["-f", manifestOf("Internal CA", "two"), "--yes"], other);
    expect([changed.code, changed.document.plan.steps]).toEqual([
      0,
      [
        expect.objectContaining({ name: "Push", changes: [{ field: "settings.topic", before: "one", after: "two" }] }),
        expect.objectContaining({ name: "Intranet", sends_secrets: true }),
      ],
    ]);
    const [channel] = (await organization.admin.get<{ name: string; secrets: string[] }[]>("/notification-channels"))
      .data;
    expect(channel).toMatchObject({ name: "Push", secrets: ["token"], settings: { topic: "two" } });
    const unknown = await apply(organization, ["-f", manifestOf("Nobody", "two"), "--yes"], other);
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringContaining("line 6: endpoints.0.trust_store: is not a trust store of the organization"),
    ]);
  },
);

const terminal = findProgram(["script"]);

/** Runs `apply` in a terminal, and answers its question. */
async function applyInTerminal(file: string, secret: string, answer: string) {
  const { PATH, HOME } = process.env;
  const command = `${process.execPath} server/start.mjs --cli apply -f ${file}`;
  const child = spawn(terminal ?? "", ["-q", "-e", "-c", command, "/dev/null"], {
    env: { NODE_ENV: "production", PATH, HOME, ...environmentOf(secret) },
  });
  let said = "";
  child.stdout.on("data", (text) => {
    const isAsked = said.includes("Type yes");
    said += text;
    if (!isAsked && said.includes("Type yes")) child.stdin.write(answer);
  });
  return { code: await new Promise((resolve) => child.once("close", resolve)), said };
}

dailyTest.runIf(terminal)("in a terminal, only yes confirms the plan, and Ctrl-C does not", async () => {
  const organization = await newOrganization(server);
  const file = written("version: 1\nendpoints:\n  - { host: asked.example.invalid, reported: true }\n");
  for (const answer of ["y\n", "\n", "\u0003"]) {
    const { code, said } = await applyInTerminal(file, organization.adminKey.secret, answer);
    expect([code, said]).toEqual([1, expect.stringContaining("Not confirmed. Nothing was changed.")]);
  }
  const { code, said } = await applyInTerminal(file, organization.adminKey.secret, "yes\n");
  expect([code, said]).toEqual([0, expect.stringContaining("Done: 1 of 1.")]);
  expect(said).toContain("+ endpoint  asked.example.invalid:443");
});

longTest("a killed run is continued by the next one", async () => {
  const organization = await newOrganization(server);
  await server.cli("org", "set-plan", "--org", organization.slug, "--plan", "business");
  const channels = Array.from(
    { length: 12 },
    (_, at) => `  - { name: C${at}, type: ntfy, settings: { topic: t${at} } }\n`,
  );
  const file = written(`version: 1\nnotification_channels:\n${channels.join("")}`);
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ["server/start.mjs", "--cli", "apply", "-f", file, "--yes"], {
    env: { NODE_ENV: "production", PATH, HOME, ...environmentOf(organization.adminKey.secret) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
    if (said.includes("C2\n")) child.kill("SIGKILL");
  });
  await new Promise((resolve) => child.once("close", resolve));
  expect(child.signalCode).toBe("SIGKILL");
  const continued = await apply(organization, ["-f", file, "--yes"]);
  const names = continued.document.plan.steps.map(({ name }) => name);
  expect([continued.code, names.includes("C2"), names.at(-1)]).toEqual([0, false, "C11"]);
  expect(continued.document.plan.unchanged + names.length).toBe(12);
  expect((await apply(organization, ["-f", file, "--dry-run"])).code).toBe(0);
});

longTest("more resources than a page has are created in bulk, found again, and changed one by one", async () => {
  const organization = await newOrganization(server);
  await server.cli("org", "set-plan", "--org", organization.slug, "--plan", "business");
  const manifestOf = (tag: string) => {
    const endpoints = Array.from(
      { length: 250 },
      (_, at) => `  - { host: h${at}.example.invalid, reported: true, tags: [${at < 3 ? tag : "same"}] }\n`,
    );
    return written(`version: 1\nendpoints:\n${endpoints.join("")}`);
  };
  const made = await apply(organization, ["-f", manifestOf("one"), "--yes"]);
  expect([made.code, made.document.done]).toEqual([0, 250]);
  const actions = (await eventsOf(server, organization.id)).map(({ action }) => action);
  expect(actions.filter((action) => action === "certificate_endpoint.bulk_upsert")).toHaveLength(3);
  const changed = await apply(organization, ["-f", manifestOf("two"), "--yes"]);
  expect([changed.code, changed.document.done, changed.document.plan.unchanged]).toEqual([0, 3, 247]);
  expect((await apply(organization, ["-f", manifestOf("two"), "--dry-run"])).code).toBe(0);
});
