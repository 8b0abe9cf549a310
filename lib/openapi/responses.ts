import * as z from "zod";
import { possibleErrors, takesIdempotencyKey } from "@/lib/api/possible-errors";
import { versionedResource } from "@/lib/api/versions";
import { groupBy } from "@/lib/group-by";
import type { Endpoint } from "@/lib/http/endpoint";
import { type ErrorCode, errorMeaning, errorStatus } from "@/lib/http/errors";
import type { Json } from "@/lib/openapi/json";
import type { Schemas } from "@/lib/openapi/schemas";

const integer = { schema: { type: "integer" } };
const text = { schema: { type: "string" } };

/** Every response header, by name. */
export const responseHeaders = {
  "X-Request-Id": { schema: { type: "string", format: "uuid" }, description: "The id of the request's audit event." },
  "X-RateLimit-Limit": {
    ...integer,
    description: "Requests per API key, or per address without one, in any 60 seconds.",
  },
  "X-RateLimit-Remaining": { ...integer, description: "Further requests that would be admitted now." },
  "X-RateLimit-Reset": {
    ...integer,
    description: "Unix time in seconds at which the full limit is available again if no more requests are sent.",
  },
  "RateLimit-Policy": {
    ...text,
    description:
      'The limit as a structured field (draft-ietf-httpapi-ratelimit-headers): `"<group>";q=<requests>;w=<seconds>`.',
  },
  RateLimit: {
    ...text,
    description:
      'What is left of it, and seconds until all of it is available again: `"<group>";r=<requests>;t=<seconds>`.',
  },
  ETag: { ...text, description: "ETag of the returned version, for `If-Match`." },
  Location: { ...text, description: "The path of the resource." },
  "Idempotent-Replayed": {
    schema: { type: "string", enum: ["true"] },
    description: "Present if the response is a replay.",
  },
  "Retry-After": { ...integer, description: "Seconds after which to try again." },
  "WWW-Authenticate": { ...text, description: "`Bearer`, with an error if the request had a key." },
} as const satisfies Record<string, Json>;

type HeaderName = keyof typeof responseHeaders;

const onEvery = [
  ...(["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const),
  ...(["RateLimit-Policy", "RateLimit"] as const),
];
const onStatus: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

export const errorBody = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      request_id: z.uuid(),
      retry_after: z
        .int()
        .optional()
        .describe(
          "Seconds after which to try again; on 429, 503, `NOT_SEALED_YET`, and `CONFLICT` if a request with the same `Idempotency-Key` is in progress.",
        ),
      issues: z
        .array(z.strictObject({ path: z.string(), message: z.string() }))
        .optional()
        .describe("The invalid fields; on 400."),
      limit: z.int().optional().describe("What the plan allows; on 402."),
      used: z.int().optional().describe("How much of it is used; on 402."),
    }),
  })
  .meta({ id: "Error", description: "Every failure has this form." });

function headers(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** A case in which a code is returned. The name is part of that of the shared response. */
interface ErrorCase {
  name: string;
  code: ErrorCode;
  meaning: string;
}

/** The two cases of `CONFLICT`: an operation may have either or both. */
const conflict: ErrorCase = {
  name: "Conflict",
  code: "CONFLICT",
  meaning: "A unique name is taken, or the resource's state does not allow the change.",
};
const repetition: ErrorCase = {
  name: "IdempotencyConflict",
  code: "CONFLICT",
  meaning:
    "The Idempotency-Key was used for another request, or for one that is still in progress or whose response was not stored.",
};

/** The responses of an operation. `shared` collects those to failures: the same status and codes make the same response. */
export function responsesOf(endpoint: Endpoint, schemas: Schemas, shared: Record<string, Json>): Json {
  const byStatus = groupBy(possibleErrors(endpoint), (code) => errorStatus[code]);
  const isConflict = possibleErrors(endpoint, false).includes("CONFLICT");
  const failures = [...byStatus].map(([status, codes]) => {
    const cases = codes.flatMap((code): ErrorCase[] =>
      code === "CONFLICT"
        ? [...(isConflict ? [conflict] : []), ...(takesIdempotencyKey(endpoint) ? [repetition] : [])]
        : [{ name: pascal(code), code, meaning: errorMeaning[code] }],
    );
    const name = cases.map((each) => each.name).join("Or");
    shared[name] ??= failure(status, codes, cases);
    return [status, { $ref: `#/components/responses/${name}` }] as const;
  });
  return { [endpoint.status]: success(endpoint, schemas), ...Object.fromEntries(failures) };
}

const pascal = (code: string) =>
  code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

function failure(status: number, codes: readonly ErrorCode[], cases: readonly ErrorCase[]): Json {
  const code = { type: "string", enum: codes };
  const narrowed = { type: "object", properties: { error: { type: "object", properties: { code } } } };
  return {
    description: cases.map(({ code, meaning }) => `\`${code}\`: ${meaning}`).join("\n\n"),
    headers: headers([
      ...onEvery,
      ...(onStatus[status] ?? []),
      ...(cases.some(({ code, name }) => code === "NOT_SEALED_YET" || name === repetition.name)
        ? (["Retry-After"] as const)
        : []),
    ]),
    content: { "application/json": { schema: { allOf: [{ $ref: "#/components/schemas/Error" }, narrowed] } } },
  };
}

const successes = {
  200: "Success.",
  201: "Created.",
  202: "Accepted. A background job completes it.",
} as const;

function success(endpoint: Endpoint, schemas: Schemas): Json {
  const { method, path, status } = endpoint;
  const isTagged = method !== "DELETE" && versionedResource(method, path) !== undefined;
  return {
    description: successes[status],
    headers: headers([
      ...onEvery,
      ...(isTagged ? (["ETag"] as const) : []),
      ...(endpoint.location ? (["Location"] as const) : []),
      ...(takesIdempotencyKey(endpoint) ? (["Idempotent-Replayed"] as const) : []),
    ]),
    content: contentOf(endpoint, schemas),
  };
}

/** The content of a successful response, by media type. */
function contentOf(endpoint: Endpoint, schemas: Schemas): Json {
  if (!endpoint.media) return { "application/json": { schema: answerOf(endpoint, schemas) } };
  return Object.fromEntries(
    endpoint.media.map((type) => [type, /json$/.test(type) ? {} : { schema: { type: "string" } }]),
  );
}

function answerOf(endpoint: Endpoint, schemas: Schemas): Json {
  const data = schemas.of(endpoint.data, "output", endpoint.action);
  if (endpoint.raw) return data;
  if (!endpoint.list) {
    return {
      type: "object",
      properties: { data: { description: "The result.", ...data } },
      required: ["data"],
      additionalProperties: false,
    };
  }
  const page = { type: "array", items: data, description: "The items of this page." };
  const pagination = { $ref: "#/components/schemas/Pagination" };
  return {
    type: "object",
    properties: { data: page, pagination },
    required: ["data", "pagination"],
    additionalProperties: false,
  };
}

export const pagination: Json = {
  type: "object",
  description: "Pagination of the list.",
  properties: {
    next_cursor: { type: ["string", "null"], description: "The `cursor` of the next page; null on the last one." },
    has_more: { type: "boolean", description: "Whether there is a next page." },
  },
  required: ["next_cursor", "has_more"],
  additionalProperties: false,
};
