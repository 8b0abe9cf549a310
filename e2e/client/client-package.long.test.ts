import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { sharedServer } from "@/e2e/support/servers/shared";
import { buildClientPackage } from "@/server/client/client-package";

const server = sharedServer();
const folder = mkdtempSync(join(tmpdir(), "sealwatch-client-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const execute = promisify(execFile);

/** Runs a command in the project. Returns its output, or throws it. */
async function run(
  command: string,
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  try {
    return (await execute(command, args, { cwd, env })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`);
  }
}

/** What somebody writes who has read docs/client.md. */
const program = `
import { Sealwatch, SealwatchError, type Schemas } from "@sealwatch/client";

const sealwatch = new Sealwatch({ url: process.env.URL ?? "", apiKey: process.env.SECRET ?? "" });
const { id } = await sealwatch.call("POST /api-keys", { name: "From the package" });
const events: Schemas["AuditEvent"][] = [];
for await (const event of sealwatch.list("GET /audit-logs", { resource_id: id })) events.push(event);
const refused = await sealwatch.call("GET /api-keys/{id}", { id: "nothing" }).catch((error: unknown) => error);
if (!(refused instanceof SealwatchError)) throw new Error("no error");
const { code, requestId } = refused;
console.log(JSON.stringify({ id, actions: events.map(({ resource }) => resource.action), code, requestId }));
declare const process: { env: Record<string, string | undefined> };
`;

test("the packed client installs, compiles strictly, and works in Node.js and as a bundle for browsers", async () => {
  const built = join(folder, "package");
  buildClientPackage(built);
  const [packed] = JSON.parse(await run("npm", ["pack", "--json", "--pack-destination", folder], built)) as [
    { filename: string; files: { path: string }[] },
  ];
  expect(packed.files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "client.d.ts", "client.js", "package.json", "schema.d.ts"]),
  );
  expect(packed.files.filter(({ path }) => /test|\.ts$/.test(path) && !path.endsWith(".d.ts"))).toEqual([]);

  const project = mkdtempSync(join(folder, "project-"));
  writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }');
  const flags = ["--no-audit", "--no-fund", "--loglevel=error", "--offline"];
  await run("npm", ["install", ...flags, join(folder, packed.filename)], project);
  writeFileSync(join(project, "program.ts"), program);
  const options = ["--strict", "--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--types", ""];
  const tsc = resolve("node_modules/typescript/bin/tsc");
  await run(process.execPath, [tsc, ...options, "--module", "nodenext", "program.ts"], project);

  const { adminKey } = await newOrganization(server);
  const env = { PATH: process.env.PATH, NODE_ENV: "test" as const, URL: server.url, SECRET: adminKey.secret };
  const done = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    actions: ["api_key.create"],
    code: "NOT_FOUND",
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  };
  expect(JSON.parse(await run(process.execPath, ["program.js"], project, env))).toEqual(done);

  // For browsers: nothing of Node.js is imported.
  const bundle = join(project, "bundle.js");
  const forBrowsers = { bundle: true, format: "esm", platform: "browser", absWorkingDir: project } as const;
  await build({ ...forBrowsers, entryPoints: ["program.js"], outfile: bundle, logLevel: "silent" });
  expect(JSON.parse(await run(process.execPath, [bundle], project, env))).toEqual(done);
});
