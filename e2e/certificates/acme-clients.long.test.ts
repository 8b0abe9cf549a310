import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { hasPebble, Pebble } from "@/e2e/support/servers/pebble";
import { findProgram } from "@/e2e/support/servers/program";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newDomainName } from "@/e2e/support/stand-ins/small-internet";
import { makeAuthority, type TestCertificate } from "@/e2e/support/stand-ins/test-certificates";
import type { CertificateSummary } from "@/lib/certificates/contract";

const server = sharedServer();
const exec = promisify(execFile);
const page = readFileSync("docs/operations/obtained-certificates.md", "utf8");
const folder = mkdtempSync(join(tmpdir(), "sealwatch-clients-"));
const bin = join(folder, "bin");

let organization: Organization;
let secret: string;

/** What the page shows, with the addresses of this test. */
function shown(pattern: RegExp): string {
  const text = pattern.exec(page)?.[1];
  if (text === undefined) throw new Error(`docs/operations/obtained-certificates.md does not show ${pattern}`);
  return text
    .replace(/^ {2}(?=\S)/gm, "")
    .replaceAll("https://sealwatch.example.com", server.url)
    .replaceAll("/etc/sealwatch/authorization", join(folder, "authorization"));
}

function addProgram(name: string, text: string): void {
  writeFileSync(join(bin, name), text);
  chmodSync(join(bin, name), 0o755);
}

beforeAll(async () => {
  organization = await newOrganization(server);
  ({ secret } = await organization.newKey({ permission: "admin", scope: "obtained_certificates" }));
  mkdirSync(bin);
  writeFileSync(join(folder, "authorization"), `Authorization: Bearer ${secret}\n`);
  addProgram("hand-in", shown(/```sh\n(#!\/bin\/sh\n# hand-in[\s\S]+?)```/));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program with the scripts of the page in its path. */
function run(program: string, args: readonly string[], env: Record<string, string> = {}) {
  return exec(program, args, {
    cwd: folder,
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, HOME: folder, ...env },
  });
}

const handedIn = async (name: string) =>
  (await organization.read.get<CertificateSummary[]>(`/certificates?name=${name}`)).data.filter(
    ({ obtained_at }) => obtained_at !== null,
  );

describe.skipIf(!hasPebble)("the documented hook of", () => {
  let pebble: Pebble;
  beforeAll(async () => {
    pebble = await Pebble.start();
  });
  afterAll(() => pebble?.stop());

  const certbot = findProgram(["certbot"]);
  test.skipIf(certbot === undefined)("certbot hands in what is renewed", async () => {
    const name = newDomainName();
    const folders = ["config", "work", "logs"].flatMap((each) => [`--${each}-dir`, join(folder, "certbot", each)]);
    const env = { REQUESTS_CA_BUNDLE: pebble.caFile };
    const usual = ["--non-interactive", ...folders];
    const challenge = ["--manual", "--manual-auth-hook", "true", "--preferred-challenges", "http"];
    const account = ["--agree-tos", "--register-unsafely-without-email", "--server", pebble.url];
    await run("certbot", ["certonly", ...usual, ...challenge, ...account, "--domain", name], env);
    expect(await handedIn(name)).toEqual([]);
    const [, command = ""] = /`certbot (renew --deploy-hook [^`]+)`/.exec(page) ?? [];
    const renew = [...usual, "--force-renewal", "--no-random-sleep-on-renew"];
    await run("certbot", [...command.split(" "), ...renew], env);
    expect(await handedIn(name)).toHaveLength(1);
    // It remembers the hook, and runs those of its folder.
    await run("certbot", ["renew", ...renew], env);
    expect(await handedIn(name)).toHaveLength(2);
    const other = newDomainName();
    const hooks = join(folder, "certbot", "config", "renewal-hooks", "deploy");
    expect(page).toContain("`ln -s /usr/local/bin/hand-in /etc/letsencrypt/renewal-hooks/deploy/`");
    await run("ln", ["-s", join(bin, "hand-in"), `${hooks}/`]);
    await run("certbot", ["certonly", ...usual, ...challenge, ...account, "--domain", other], env);
    await run("certbot", ["renew", "--cert-name", other, ...renew], env);
    expect((await handedIn(other)).length).toBeGreaterThan(0);
  });

  const lego = findProgram(["lego"]);
  test.skipIf(lego === undefined)("lego hands in what is obtained and renewed", async () => {
    const name = newDomainName();
    const env = { LEGO_CA_CERTIFICATES: pebble.caFile };
    const challenge = ["--http", "--http.port", "127.0.0.1:0"];
    const usual = ["--server", pebble.url, "--email", "a@example.com", "--accept-tos", "--domains", name];
    const [, first = "", later = ""] =
      /`lego … (run --run-hook [^`]+)` the first time, then `lego … (renew --renew-hook [^`]+)`/.exec(page) ?? [];
    await run("lego", [...usual, ...challenge, ...first.split(" ")], env);
    expect(await handedIn(name)).toHaveLength(1);
    await run("lego", [...usual, ...challenge, ...later.split(" "), "--days", "10000", "--no-random-sleep"], env);
    expect(await handedIn(name)).toHaveLength(2);
  });

  const dehydrated = findProgram(["dehydrated"], "--version");
  test.skipIf(dehydrated === undefined)("dehydrated hands in what is obtained", async () => {
    const name = newDomainName();
    addProgram("dehydrated-hook", shown(/ {2}```sh\n {2}(#!\/bin\/sh\n[\s\S]+?) {2}```/));
    const base = join(folder, "dehydrated");
    mkdirSync(join(base, "challenges"), { recursive: true });
    const settings = { BASEDIR: base, CA: pebble.url, HOOK: join(bin, "dehydrated-hook") };
    const more = { WELLKNOWN: join(base, "challenges"), CURL_OPTS: `--cacert ${pebble.caFile}` };
    const lines = Object.entries({ ...settings, ...more }).map(([key, value]) => `${key}="${value}"`);
    writeFileSync(join(base, "config"), `${lines.join("\n")}\n`);
    const usual = ["--config", join(base, "config")];
    await run("dehydrated", [...usual, "--register", "--accept-terms"]);
    await run("dehydrated", [...usual, "--cron", "--domain", name]);
    expect(await handedIn(name)).toHaveLength(1);
  });
});

test("the hook takes the file of each version of lego, and fails for one that is refused", async () => {
  const authority = await makeAuthority("Hooks");
  const [first, second] = [await authority.leaf(), await authority.leaf()];
  const path = join(folder, "own.pem");
  for (const [variable, made] of [
    ["LEGO_CERT_PATH", first],
    ["LEGO_HOOK_CERT_PATH", second],
  ] as const) {
    writeFileSync(path, (made.pem + authority.intermediate.pem).replaceAll("\n", "\r\n"));
    await run("hand-in", [], { [variable]: path });
  }
  const known = (await handedIn("good.test")).map(({ sha256 }) => sha256);
  expect(new Set(known)).toEqual(new Set([first, second].map(sha256Of)));
  writeFileSync(path, first.keyPem);
  await expect(run("hand-in", [path])).rejects.toMatchObject({ code: 22 });
  await expect(run("hand-in", [])).rejects.toMatchObject({ stderr: expect.stringContaining("name a file") });
});

const sha256Of = ({ certificate }: TestCertificate) =>
  createHash("sha256").update(Buffer.from(certificate.rawData)).digest("hex");

const hasJq = findProgram(["jq"]) !== undefined;
test.skipIf(!hasJq)("the documented job hands in the certificates of all TLS secrets", async () => {
  const authority = await makeAuthority("Cluster");
  const made = await Promise.all(["one.test", "two.test"].map((name) => authority.leaf({ name, sans: [name] })));
  const secretOf = (text: string | null) => ({
    type: "kubernetes.io/tls",
    data: text === null ? {} : { "tls.crt": Buffer.from(text).toString("base64"), "tls.key": "c2VjcmV0" },
  });
  const [one, two] = made.map(({ pem }) => secretOf(pem + authority.intermediate.pem));
  // cert-manager's temporary secrets and broken ones come in between.
  const secrets = { items: [secretOf(null), secretOf(""), one, secretOf("no certificate"), two] };
  writeFileSync(join(folder, "secrets.json"), JSON.stringify(secrets));
  addProgram("kubectl", `#!/bin/sh\n[ "$1 $2" = "get secrets" ] && cat "${join(folder, "secrets.json")}"\n`);
  const script = shown(/args:\n +- \|\n([\s\S]+?)```/).replace(/^ {18}/gm, "");
  await expect(run("sh", ["-c", script])).rejects.toMatchObject({ code: 1 });
  for (const name of ["one.test", "two.test"]) expect(await handedIn(name)).toHaveLength(1);
  writeFileSync(join(folder, "secrets.json"), JSON.stringify({ items: [one, two] }));
  await run("sh", ["-c", script]);
  addProgram("kubectl", "#!/bin/sh\nexit 1\n");
  await expect(run("sh", ["-c", script])).rejects.toMatchObject({ code: 1 });
});
