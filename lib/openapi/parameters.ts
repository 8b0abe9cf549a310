import { takesIdempotencyKey, takesIfMatch } from "@/lib/api/possible-errors";
import type { Endpoint } from "@/lib/http/endpoint";
import { LISTED_VALUES, type ListedValues } from "@/lib/http/schemas/documented";
import type { Json } from "@/lib/openapi/json";
import { describeProperty } from "@/lib/openapi/property-descriptions";
import type { Schemas } from "@/lib/openapi/schemas";

/** What the parameter after a segment of a path identifies, if the segment does not say it. */
const identified: Readonly<Record<string, string>> = {
  "api-keys": "API key",
  "audit-logs": "audit event",
  holds: "legal hold",
  members: "person",
  uptime: "monitor",
  views: "saved view",
};

/** The parameters of an operation in its path, its query and its headers. */
export function parametersOf(endpoint: Endpoint, schemas: Schemas): Json[] {
  return [...inPath(endpoint.path), ...inQuery(endpoint, schemas), ...inHeaders(endpoint)];
}

function inPath(path: string): Json[] {
  return [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, segment = "", name]) => ({
    name,
    in: "path",
    required: true,
    description: `The id of the ${identified[segment] ?? segment.replaceAll("-", " ").replace(/s$/, "")}.`,
    schema: { type: "string", format: "uuid" },
  }));
}

function inQuery(endpoint: Endpoint, schemas: Schemas): Json[] {
  const query = schemas.of(endpoint.query, "input", "query") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(query.properties ?? {}).map(([name, { description, [LISTED_VALUES]: listed, ...schema }]) => ({
    name,
    in: "query",
    required: query.required?.includes(name) ?? false,
    description: description ?? describeProperty("query", name),
    ...(listed === undefined ? { schema } : listSchema(listed as ListedValues, schemas)),
  }));
}

/** Values from a closed list, separated by commas. */
function listSchema({ name, values, most }: ListedValues, schemas: Schemas): Json {
  schemas.components[name] = { type: "string", enum: values };
  const items = { $ref: `#/components/schemas/${name}` };
  return { style: "form", explode: false, schema: { type: "array", items, minItems: 1, maxItems: most } };
}

function inHeaders(endpoint: Endpoint): Json[] {
  const header = (name: string, description: string, schema: Json = {}) => {
    return { name, in: "header", required: false, description, schema: { type: "string", ...schema } };
  };
  const key = header(
    "Idempotency-Key",
    "Repeating the request with the same key within 24 hours changes nothing and returns the original response, without fields that are shown only once.",
    { minLength: 1, maxLength: 200, pattern: "^[\\x21-\\x7e]+$" },
  );
  const version = header(
    "If-Match",
    "ETags, or `*`. Without a match with the current version, the request fails with 412 and changes nothing.",
  );
  return [
    ...(takesIdempotencyKey(endpoint) ? [key] : []),
    ...(takesIfMatch(endpoint) ? [version] : []),
    ...Object.entries(endpoint.headers ?? {}).map(([name, description]) => header(name, description)),
  ];
}
