import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApiDocument } from "@/lib/openapi/document";
import { CLIENT_TYPES, clientTypes } from "@/server/client/client-types";
import { importTool, installTools } from "@/server/tools/install-tools";

const text = JSON.stringify(openApiDocument("https://sealwatch.test"));
/** A project with the document and the packages of the generators. */
const project = mkdtempSync(join(tmpdir(), "sealwatch-clients-"));
const input = join(project, "openapi.json");

beforeAll(() => {
  writeFileSync(input, text);
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  symlinkSync(join(installTools(".api-tools"), "node_modules"), join(project, "node_modules"));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Runs a program of the project. Throws its output if it fails. */
function run(program: string, args: string[]): void {
  try {
    execFileSync(process.execPath, [program, ...args], { cwd: project, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`.slice(0, 5000));
  }
}

function compile(files: string[]): void {
  const options = [
    "--noEmit",
    "--strict",
    "--target",
    "es2022",
    "--module",
    "preserve",
    "--lib",
    "es2022,dom,dom.iterable",
  ];
  run(resolve("node_modules/typescript/bin/tsc"), [...options, "--types", "", ...files]);
}

describe("the OpenAPI document is clean", () => {
  interface Redocly {
    createConfig(config: object): Promise<unknown>;
    lintFromString(what: object): Promise<{ ruleId: string; message: string; location: { pointer?: string }[] }[]>;
  }

  test("in redocly, by its recommended rules", async () => {
    const { createConfig, lintFromString } = await importTool<Redocly>(
      ".api-tools",
      "@redocly/openapi-core/lib/index.js",
    );
    // Ids are UUIDs, so `/audit-logs/{id}/context` and `/audit-logs/destinations/{id}` have no path in common.
    const config = await createConfig({ extends: ["recommended"], rules: { "no-ambiguous-paths": "off" } });
    const problems = await lintFromString({ source: text, absoluteRef: input, config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  interface Spectral {
    Spectral: new () => {
      setRuleset(set: object): void;
      run(document: unknown): Promise<{ code: string; message: string; path: string[] }[]>;
    };
    Document: new (text: string, parser: unknown, source: string) => unknown;
  }

  test("in spectral, by its rules for OpenAPI", async () => {
    const { default: core } = await importTool<{ default: Spectral }>(
      ".api-tools",
      "@stoplight/spectral-core/dist/index.js",
    );
    const { default: rules } = await importTool<{ default: { oas: object } }>(
      ".api-tools",
      "@stoplight/spectral-rulesets/dist/index.js",
    );
    const { default: parsers } = await importTool<{ default: { Json: unknown } }>(
      ".api-tools",
      "@stoplight/spectral-parsers/dist/index.js",
    );
    const spectral = new core.Spectral();
    spectral.setRuleset({ extends: [[rules.oas, "recommended"]] });
    const problems = await spectral.run(new core.Document(text, parsers.Json, input));
    expect(problems.map(({ code, message, path }) => [code, message, path.join("/")])).toEqual([]);
  });
});

describe("clients that are generated from it compile strictly", () => {
  const use = (name: string, code: string) => {
    writeFileSync(join(project, `${name}.ts`), code);
    compile([`${name}.ts`]);
  };

  test("by openapi-typescript, with openapi-fetch", () => {
    run("node_modules/openapi-typescript/bin/cli.js", [input, "-o", "schema.ts", "--default-non-nullable", "false"]);
    use(
      "fetched",
      `import createClient from "openapi-fetch";
      import type { paths } from "./schema";
      const client = createClient<paths>({ baseUrl: "https://sealwatch.test", headers: { Authorization: "Bearer x" } });
      const { data, error } = await client.GET("/api/v1/audit-logs", { params: { query: { flag: ["!sign_in"], limit: 2 } } });
      const id: string | undefined = data?.data[0]?.id;
      const code: "INVALID_REQUEST" | string | undefined = error?.error.code;
      const made = await client.POST("/api/v1/notification-channels", {
        params: { header: { "Idempotency-Key": "1" } },
        body: { type: "pagerduty", name: "x", settings: { routing_key: "x" } },
      });
      if (made.data?.data.type === "pagerduty") made.data.data.settings.api_url?.length;
      // @ts-expect-error settings of another type
      await client.POST("/api/v1/notification-channels", { body: { type: "pagerduty", name: "x", settings: { url: "x" } } });
      console.log(id, code);`,
    );
  });

  test("by @hey-api/openapi-ts", () => {
    writeFileSync(
      join(project, "hey.mjs"),
      `import { createClient } from "@hey-api/openapi-ts";
      const plugins = ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"];
      await createClient({ input: ${JSON.stringify(input)}, output: "hey", plugins, logs: { level: "silent", file: false } });`,
    );
    run("hey.mjs", []);
    use(
      "hey-use",
      `import { apiKeyList, notificationChannelCreate } from "./hey";
      const { data } = await apiKeyList({ query: { limit: 2 } });
      const name: string | undefined = data?.data[0]?.name;
      await notificationChannelCreate({ body: { type: "webhook", name: "x", settings: { url: "https://x.test" } } });
      console.log(name);`,
    );
  });

  test("by orval", () => {
    run("node_modules/orval/dist/bin/orval.js", ["--input", input, "--output", "orval/client.ts", "--client", "fetch"]);
    use(
      "orval-use",
      `import { apiKeyList } from "./orval/client";
      const answer = await apiKeyList({ limit: 2 });
      if (answer.status === 200) console.log(answer.data.data[0]?.name satisfies string | undefined);`,
    );
  });
});

test("the types of our own client are what openapi-typescript generates", async () => {
  expect(readFileSync(CLIENT_TYPES, "utf8")).toBe(await clientTypes());
});
