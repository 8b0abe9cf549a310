import { endpoints } from "@/lib/api/endpoints";
import { API_PREFIX, type Endpoint } from "@/lib/http/endpoint";
import { groupLimits } from "@/lib/http/groups";
import type { Json } from "@/lib/openapi/json";
import { parametersOf } from "@/lib/openapi/parameters";
import { errorBody, pagination, responseHeaders, responsesOf } from "@/lib/openapi/responses";
import { Schemas } from "@/lib/openapi/schemas";
import { tags } from "@/lib/openapi/tags";

const introduction = `Every request is authenticated, rate-limited and audited.

A \`PUT\` changes the fields that it names; the others stay. With \`If-Match\` it changes only the version that you read.
There is no CORS: browsers send requests from other sites' pages without a response that those may read.`;

/** Who may send the request, and how often. */
function accessTo({ method, person, public: isPublic, bulk, group }: Endpoint): string {
  const limit = bulk
    ? "No rate limit; at most 8 requests of an organization at a time."
    : `At most ${groupLimits[group]} requests in any 60 seconds per API key, together with the group \`${group}\`.`;
  if (isPublic) return `Needs no credential. ${limit}`;
  if (person) return "Only for people who are signed in to the dashboard, not for API keys.";
  return `Needs ${method === "GET" ? "any API key" : "an API key with `admin` permission"}, or a session. ${limit}`;
}

function operationOf(endpoint: Endpoint, schemas: Schemas, failures: Record<string, Json>): Json {
  const body = schemas.of(endpoint.body, "input", endpoint.action) as { type?: string; properties?: Json };
  const hasBody = body.type !== "object" || Object.keys(body.properties ?? {}).length > 0;
  const text = endpoint.summary.replaceAll(/\s+/g, " ");
  const [, first = text] = /^(.+?)\.(?= |$)/.exec(text) ?? [];
  return {
    operationId: endpoint.action.replace(".", "_"),
    summary: first,
    description: `${text}\n\n${accessTo(endpoint)}`,
    tags: [endpoint.group],
    parameters: parametersOf(endpoint, schemas),
    ...(hasBody && { requestBody: { required: true, content: { "application/json": { schema: body } } } }),
    ...(endpoint.public && { security: [{}, { apiKey: [] }] }),
    responses: responsesOf(endpoint, schemas, failures),
  };
}

/** The whole API as an OpenAPI 3.1 document. `publicUrl`: the URL of this Sealwatch, without a slash at its end. */
export function openApiDocument(publicUrl: string): Json {
  const schemas = new Schemas();
  const failures: Record<string, Json> = {};
  schemas.of(errorBody, "output");
  schemas.components.Pagination = pagination;
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = API_PREFIX + endpoint.path;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, schemas, failures) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Sealwatch",
      version: "1",
      description: introduction,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      contact: { name: "Sealwatch", url: publicUrl },
    },
    servers: [{ url: publicUrl, description: "This Sealwatch." }],
    security: [{ apiKey: [] }],
    tags: tags(),
    paths,
    components: {
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: "An API key of an organization." } },
      headers: responseHeaders,
      responses: failures,
      schemas: schemas.components,
    },
  };
}
