import { z } from "zod";
import { endpoints } from "@/lib/api/endpoints";
import { versionedResource } from "@/lib/api/versions";
import { API_PREFIX, type Endpoint, SHOWN_ONCE } from "@/lib/http/endpoint";
import { errorStatus } from "@/lib/http/errors";

type Json = Record<string, unknown>;

const errorBody = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(Object.keys(errorStatus) as [keyof typeof errorStatus, ...(keyof typeof errorStatus)[]]),
      message: z.string(),
      request_id: z.uuid(),
      retry_after: z.number().int().optional().describe("Seconds; on 429 and 503."),
      issues: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
      limit: z.number().int().optional(),
      used: z.number().int().optional(),
    }),
  })
  .meta({ id: "Error" });

const components: Json = {};

/** A schema as JSON Schema; those with an id become components and are referred to. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $defs, $schema, ...root } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
  }) as Json & { $defs?: Record<string, Json>; $schema?: string };
  for (const [name, definition] of Object.entries($defs ?? {})) components[name] = rewrite(withWithheld(definition));
  return rewrite(withWithheld(root));
}

/** An answer whose secrets are shown once may be repeated without them. */
function withWithheld(schema: Json): Json {
  const {
    properties = {},
    required = [],
    ...rest
  } = schema as { properties?: Record<string, Json>; required?: string[] };
  const secrets = Object.keys(properties).filter((name) => properties[name]?.[SHOWN_ONCE] === true);
  if (secrets.length === 0) return schema;
  const secret_withheld = {
    const: true,
    description: "In a repetition under the same `Idempotency-Key`, which holds the first answer without its secrets.",
  };
  return {
    ...rest,
    properties: { ...properties, secret_withheld },
    required: required.filter((name) => !secrets.includes(name)),
  };
}

/** zod points at `#/$defs/X` within a document; here the definitions live under components. */
function rewrite(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}

function parametersOf(endpoint: Endpoint): Json[] {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", format: "uuid" },
  }));
  const query = schemaOf(endpoint.query, "input") as { properties?: Record<string, Json>; required?: string[] };
  const inQuery = Object.entries(query.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: query.required?.includes(name) ?? false,
    ...(description !== undefined && { description }),
    schema,
  }));
  return [...inPath, ...inQuery, ...headersOf(endpoint)];
}

/** The request headers that the endpoint heeds beside the credential. */
function headersOf({ method, path, status, public: isPublic }: Endpoint): Json[] {
  const inHeader = (name: string, description: string, schema: Json = {}) => {
    return { name, in: "header", required: false, description, schema: { type: "string", ...schema } };
  };
  const takesKey = method === "POST" && !isPublic;
  const takesVersion = method !== "GET" && status !== 201 && versionedResource(method, path) !== undefined;
  return [
    ...(takesKey
      ? [
          inHeader(
            "Idempotency-Key",
            "A repetition of this request under the same key within 24 hours changes nothing and gets the first answer, without what is shown once.",
            { maxLength: 200 },
          ),
        ]
      : []),
    ...(takesVersion
      ? [inHeader("If-Match", "ETags, or `*`: 412 and no change where the present version has none of them.")]
      : []),
  ];
}

/** What a success answers with, by media type. */
function contentOf(endpoint: Endpoint): Json {
  if (endpoint.media) return Object.fromEntries(endpoint.media.map((type) => [type, {}]));
  return { "application/json": { schema: answerOf(endpoint) } };
}

function answerOf(endpoint: Endpoint): Json {
  if (endpoint.raw) return schemaOf(endpoint.data, "output");
  const data = schemaOf(endpoint.data, "output");
  if (!endpoint.list) {
    return { type: "object", properties: { data }, required: ["data"], additionalProperties: false };
  }
  const pagination = {
    type: "object",
    properties: { next_cursor: { type: ["string", "null"] }, has_more: { type: "boolean" } },
    required: ["next_cursor", "has_more"],
    additionalProperties: false,
  };
  return {
    type: "object",
    properties: { data: { type: "array", items: data }, pagination },
    required: ["data", "pagination"],
    additionalProperties: false,
  };
}

/** Of a success. */
function answerHeaders(endpoint: Endpoint): Json {
  const isTagged = endpoint.method !== "DELETE" && versionedResource(endpoint.method, endpoint.path) !== undefined;
  const text = { schema: { type: "string" } };
  return {
    ...headers(),
    ...(isTagged && { ETag: { ...text, description: "Of the version shown, for `If-Match`." } }),
    ...(endpoint.status === 201 && { Location: text }),
    ...(endpoint.method === "POST" &&
      !endpoint.public && { "Idempotent-Replayed": { schema: { const: "true" }, description: "Of a repetition." } }),
  };
}

function headers(): Json {
  const integer = { schema: { type: "integer" } };
  return {
    "X-Request-Id": { schema: { type: "string", format: "uuid" }, description: "The id of the request's audit event." },
    "X-RateLimit-Limit": integer,
    "X-RateLimit-Remaining": integer,
    "X-RateLimit-Reset": { ...integer, description: "Unix time in seconds at which the full allowance is back." },
  };
}

function operationOf(endpoint: Endpoint): Json {
  const body = schemaOf(endpoint.body, "input") as { type?: string; properties?: Json };
  const hasBody = body.type !== "object" || Object.keys(body.properties ?? {}).length > 0;
  const error = { $ref: "#/components/responses/Error" };
  return {
    operationId: endpoint.action.replace(".", "_"),
    summary: endpoint.summary,
    tags: [endpoint.group],
    parameters: parametersOf(endpoint),
    ...(hasBody && { requestBody: { required: true, content: { "application/json": { schema: body } } } }),
    ...(endpoint.public && { security: [{}, { apiKey: [] }] }),
    responses: {
      [endpoint.status]: {
        description: "Success",
        headers: answerHeaders(endpoint),
        content: contentOf(endpoint),
      },
      "4XX": error,
      "5XX": error,
    },
  };
}

/** The whole API as OpenAPI 3.1. */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = API_PREFIX + endpoint.path;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  const error = schemaOf(errorBody, "output");
  return {
    openapi: "3.1.0",
    info: { title: "Sealwatch", version: "1", description: "Every request is authenticated, limited and audited." },
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: "An API key of an organization." } },
      responses: {
        Error: { description: "Failure", headers: headers(), content: { "application/json": { schema: error } } },
      },
      schemas: components,
    },
  };
}
