import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { endpoints } from "@/lib/api/endpoints";
import { versionedResource, versionedResources } from "@/lib/api/versions";

/** The columns of each table in the schema. */
function tables(): Map<string, string[]> {
  const text = readdirSync("prisma/app")
    .filter((file) => file.endsWith(".prisma"))
    .map((file) => readFileSync(`prisma/app/${file}`, "utf8"))
    .join("\n");
  const blocks = [...text.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)];
  const models = new Set(blocks.map(([, model]) => model));
  return new Map(
    blocks.map(([, , body = ""]) => {
      const fields = [...body.matchAll(/^ {2}(\w+) +(\w+)(.*)$/gm)].filter(([, , type = ""]) => !models.has(type));
      const columns = fields.map(([, name = "", , rest = ""]) => /@map\("(\w+)"\)/.exec(rest)?.[1] ?? name);
      return [/@@map\("(\w+)"\)/.exec(body)?.[1] ?? "", columns];
    }),
  );
}

const schema = tables();

test("all changeable resources have versions, and no others", () => {
  const changed = endpoints.filter(({ method }) => method === "PUT" || method === "DELETE").map(({ path }) => path);
  expect(Object.keys(versionedResources).sort()).toEqual([...new Set(changed)].sort());
});

test.each(Object.entries(versionedResources))("%s classifies each column as versioned or ignored", (_, resource) => {
  const said = [...resource.columns, ...resource.ignored];
  expect(said.sort()).toEqual(schema.get(resource.table)?.sort());
});

test("responses with a single resource have a version", () => {
  const tagged = endpoints.filter(
    ({ method, path }) => method !== "GET" && versionedResource(method, path) !== undefined,
  );
  const created = endpoints.filter(({ method, status }) => method === "POST" && status === 201);
  const actions = Object.values(versionedResources).flatMap((resource) => resource.actions ?? []);
  expect(
    tagged
      .filter(({ method }) => method === "POST")
      .map(({ path }) => path)
      .sort(),
  ).toEqual(
    // Submitted certificates are immutable.
    [...created.map(({ path }) => path).filter((path) => path !== "/certificates"), ...actions].sort(),
  );
});
