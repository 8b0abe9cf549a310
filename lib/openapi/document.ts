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

/** A schema as JSON Schema; schemas with an id become components and are referenced. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $defs, $schema, ...root } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
  }) as Json & { $defs?: Record<string, Json>; $schema?: string };
  for (const [name, definition] of Object.entries($defs ?? {})) components[name] = rewrite(withWithheld(definition));
  return rewrite(withWithheld(root));
}

/** Replays omit secrets that are shown once, so those fields are not required in a response that has them. */
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
    description:
      "Present if this response is a replay for the same `Idempotency-Key`, which omits the secrets of the original response.",
  };
  return {
    ...rest,
    properties: { ...properties, secret_withheld },
    required: required.filter((name) => !secrets.includes(name)),
  };
}

/** zod refers to `#/$defs/X` within a schema; the document has the definitions under components. */
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

/** The request headers that the endpoint supports, besides the credential. */
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
            "Repeating the request with the same key within 24 hours changes nothing and returns the original response, without fields that are shown only once.",
            { maxLength: 200 },
          ),
        ]
      : []),
    ...(takesVersion
      ? [
          inHeader(
            "If-Match",
            "ETags, or `*`. Without a match with the current version, the request fails with 412 and changes nothing.",
          ),
        ]
      : []),
  ];
}

/** The content of a successful response, by media type. */
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

/** The headers of a successful response. */
function answerHeaders(endpoint: Endpoint): Json {
  const isTagged = endpoint.method !== "DELETE" && versionedResource(endpoint.method, endpoint.path) !== undefined;
  const text = { schema: { type: "string" } };
  return {
    ...headers(),
    ...(isTagged && { ETag: { ...text, description: "ETag of the returned version, for `If-Match`." } }),
    ...(endpoint.status === 201 && { Location: text }),
    ...(endpoint.method === "POST" &&
      !endpoint.public && {
        "Idempotent-Replayed": { schema: { const: "true" }, description: "Present if the response is a replay." },
      }),
  };
}

function headers(): Json {
  const integer = { schema: { type: "integer" } };
  return {
    "X-Request-Id": { schema: { type: "string", format: "uuid" }, description: "The id of the request's audit event." },
    "X-RateLimit-Limit": integer,
    "X-RateLimit-Remaining": integer,
    "X-RateLimit-Reset": {
      ...integer,
      description: "Unix time in seconds at which the full limit is available again.",
    },
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

/** The whole API as an OpenAPI 3.1 document. */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = API_PREFIX + endpoint.path;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  const error = schemaOf(errorBody, "output");
  return {
    openapi: "3.1.0",
    info: {
      title: "Sealwatch",
      version: "1",
      description: "Every request is authenticated, rate-limited and audited.",
    },
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
