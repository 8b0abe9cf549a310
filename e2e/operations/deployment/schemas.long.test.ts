import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Resource, render } from "@/e2e/operations/deployment/manifests";
import { findProgram } from "@/e2e/support/servers/program";
import { installTools } from "@/server/tools/install-tools";

/** A project with the published schemas. */
const project = mkdtempSync(join(tmpdir(), "sealwatch-deploy-"));
let load: NodeJS.Require;
beforeAll(() => {
  symlinkSync(join(installTools(".deploy-tools"), "node_modules"), join(project, "node_modules"));
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  load = createRequire(join(project, "package.json"));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** The module with the schema and the type of a kind of resource. */
function moduleOf({ apiVersion, kind }: Resource): string {
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const folder = [group, version].filter(Boolean).join("/");
  const publisher = group === "monitoring.coreos.com" ? "@kubernetes-models/prometheus-operator" : "kubernetes-models";
  return `${publisher}/${folder}/${kind}`;
}

describe.each(["small", "large"])("the overlay %s", (overlay) => {
  const resources = () => render(`deploy/kubernetes/overlays/${overlay}`);

  test("is valid by the schemas of Kubernetes and of the Prometheus operator", () => {
    for (const resource of resources()) {
      const Model = load(moduleOf(resource))[resource.kind] as new (of: Resource) => { validate(): void };
      expect(() => new Model(resource).validate(), resource.metadata.name).not.toThrow();
    }
  });

  // The schemas allow unknown fields, so that a misspelled one would be ignored.
  test("has no field that they do not have", () => {
    const lines = resources().flatMap((resource, at) => [
      `import type { I${resource.kind} as Type${at} } from ${JSON.stringify(moduleOf(resource))};`,
      `export const resource${at}: Type${at} = ${JSON.stringify(resource, null, 1)};`,
    ]);
    const file = join(project, `${overlay}.ts`);
    const compile = (text: string) => {
      writeFileSync(file, text);
      const options = [
        "--ignoreConfig",
        "--noEmit",
        "--strict",
        "--skipLibCheck",
        "--module",
        "nodenext",
        "--target",
        "es2022",
      ];
      const args = [resolve("node_modules/typescript/bin/tsc"), ...options, "--types", "", file];
      return spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" }).stdout;
    };
    const text = lines.join("\n");
    expect(compile(text)).toBe("");
    expect(compile(text.replace('"envFrom"', '"envfrom"'))).toContain("does not exist in type 'IContainer'");
  });
});

test("the compose file is valid by the Compose Specification", () => {
  const { default: Ajv } = load("ajv") as {
    default: new (options: object) => { compile(schema: object): Validate };
  };
  type Validate = ((value: unknown) => boolean) & { errors?: { instancePath: string; message: string }[] };
  const schema = JSON.parse(readFileSync(join(project, "node_modules/dclint/schemas/compose.schema.json"), "utf8"));
  const validate = new Ajv({ strict: false, validateSchema: false, validateFormats: false, allErrors: true }).compile(
    schema,
  );
  const file = parse(readFileSync("deploy/compose/compose.yaml", "utf8"), { merge: true });
  validate(file);
  expect(validate.errors ?? []).toEqual([]);
  expect(validate({ ...file, services: { postgres: { image: "x", portz: [] } } })).toBe(false);
});

const systemd = findProgram(["systemd-analyze"]);

describe.skipIf(systemd === undefined)("the systemd units", () => {
  const names = readdirSync("deploy/systemd").filter((name) => !name.endsWith("migrate.service"));
  const units = mkdtempSync(join(tmpdir(), "sealwatch-units-"));
  beforeAll(() => {
    for (const name of readdirSync("deploy/systemd")) {
      copyFileSync(join("deploy/systemd", name), join(units, name));
      // Where this machine has Node.js.
      const text = readFileSync(join(units, name), "utf8").replace("/usr/bin/node", process.execPath);
      writeFileSync(join(units, name), text);
    }
  });
  afterAll(() => rmSync(units, { recursive: true, force: true }));

  test("are valid", () => {
    for (const name of readdirSync(units)) {
      const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", join(units, name)], {
        encoding: "utf8",
      });
      const own = stderr.split("\n").filter((line) => line.includes("sealwatch"));
      expect([status, own], name).toEqual([0, []]);
    }
  });

  test.each(names)("%s has a low exposure level in systemd's rating", (name) => {
    const args = ["security", "--offline=true", "--no-pager", "--threshold=20", join(units, name)];
    const { status, stdout, stderr } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
    expect(status, stdout + stderr).toBe(0);
  });
});
