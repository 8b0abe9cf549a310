import { readdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect, test } from "vitest";
import { anonymous } from "@/e2e/support/api";
import { sharedServer } from "@/e2e/support/servers/shared";
import { endpoints } from "@/lib/api/endpoints";
import { API_PREFIX } from "@/lib/http/endpoint";

const METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];
const ROOT = "app/api/v1";

const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith("/route.ts"));

test("every route is in the list of endpoints, and every endpoint has a route", () => {
  const paths = files
    .filter((file) => file !== "[[...path]]/route.ts")
    .map((file) => `/${dirname(file).replace(/\[(\w+)\]/g, "{$1}")}`);
  expect(paths.sort()).toEqual([...new Set(endpoints.map(({ path }) => path))].sort());
});

test.each(files)("%s passes every method to the pipeline", async (file) => {
  const module = (await import(resolve(ROOT, file))) as Record<string, unknown>;
  expect(Object.keys(module).sort()).toEqual(METHODS);
  expect(Object.values(module).every((handler) => typeof handler === "function")).toBe(true);
});

test("no two endpoints share a method and path, or an action", () => {
  const places = endpoints.map(({ method, path }) => `${method} ${path}`);
  const actions = endpoints.map(({ action }) => action);
  expect(new Set(places).size).toBe(places.length);
  expect(new Set(actions).size).toBe(actions.length);
});

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { responses: Record<string, unknown>; operationId: string }>>;
  components: { schemas: Record<string, unknown> };
}

test("the OpenAPI document has exactly these endpoints, and no broken references", async () => {
  const answer = await anonymous(sharedServer()).get("/openapi.json");
  const { openapi, paths, components } = answer.json as Document;
  expect(openapi).toMatch(/^3\.1\./);
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { responses }]) => [
      method.toUpperCase(),
      path,
      Object.keys(responses)[0],
    ]),
  );
  const listed = endpoints.map(({ method, path, status }) => [method, API_PREFIX + path, String(status)]);
  expect(described.sort()).toEqual(listed.sort());
  const referred = [...answer.text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
  expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(referred));
  expect(answer.text).not.toMatch(/"\$ref":"#\/(?!components\/)/);
});
