import * as z from "zod";
import type { Action } from "@/lib/http/actions";
import type { ErrorCode } from "@/lib/http/errors";
import { type Group, groupOf } from "@/lib/http/groups";

export const API_PREFIX = "/api/v1";

/** All query parameters that are credentials. */
export const credentialParameters = ["signature", "secret_sha256"] as const;
type CredentialParameter = (typeof credentialParameters)[number];

/** The names in braces in a path: `/api-keys/{id}` → `id`. */
type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;
type Params<Path extends string> = { [Name in ParamNames<Path>]: string };

type EndpointMethod = "GET" | "POST" | "PUT" | "DELETE";

interface Definition<
  Path extends string,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
  List extends boolean,
  Raw extends boolean,
> {
  method: EndpointMethod;
  /** Under `/api/v1`; `{id}` matches a UUID, and any other value returns 404. */
  path: Path;
  action: Action;
  summary: string;
  /** Query parameters, as strings. Default: none. */
  query?: Query;
  /** The JSON body. Default: none. */
  body?: Body;
  /** The schema of `data` in the response; with `list`, of one item. */
  data: Data;
  list?: List;
  /** Default: 200. 202: a background job completes the request. */
  status?: 200 | 201 | 202;
  /** Of 201: `false` if no GET shows the new resource alone, so that the response has no `Location`. */
  location?: boolean;
  /** Exempt from the group's rate limit, and accepts bodies up to 10 MiB. */
  bulk?: boolean;
  /** Also available without a credential; then rate-limited by address. */
  public?: boolean;
  /** Refused to API keys: only people can do this. */
  person?: boolean;
  /** `{id}` is an organization: the person acts as its member, regardless of the organization selected in their browser. */
  ofOrganization?: boolean;
  /** Query parameters that are credentials: events record their presence, not their values. */
  credentials?: readonly CredentialParameter[];
  /** The verb returns its own Response: a document or a stream instead of `{data}`. */
  raw?: Raw;
  /** Media types of a raw response that is not JSON. */
  media?: readonly string[];
  /** Error codes besides those that follow from the rest of the contract (`lib/api/possible-errors.ts`). */
  errors?: readonly ErrorCode[];
  /** Request headers besides those that follow from the rest of the contract, with their descriptions. */
  headers?: Readonly<Record<string, string>>;
}

/** Marks a response field as a secret that is shown only once: replays of the response omit it. */
export function shownOnce<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ [SHOWN_ONCE]: true });
}
export const SHOWN_ONCE = "x-shown-once";

/** The fields of a response that are shown only once. */
function fieldsShownOnce(data: z.ZodType): string[] {
  if (!(data instanceof z.ZodObject)) return [];
  return Object.keys(data.shape).filter((field) => data.shape[field].meta()?.[SHOWN_ONCE] === true);
}

/** For fields that are stored but not returned. The log keeps each body as submitted, and everybody with access to the log can read it there. */
export const WRITE_ONLY =
  "Not returned by the API. The audit log keeps the request as sent, where all members and keys of the organization can read it, including `read` keys.";

/** No fields. Typed so that it adds nothing to the input. */
const nothing: z.ZodType<unknown> = z.strictObject({});

/** One endpoint as data: used to validate requests, to document the API and to type the client. */
export function endpoint<
  const Path extends string,
  Data extends z.ZodType,
  Query extends z.ZodType = typeof nothing,
  Body extends z.ZodType = typeof nothing,
  const List extends boolean = false,
  const Raw extends boolean = false,
>(definition: Definition<Path, Query, Body, Data, List, Raw>) {
  return {
    ...definition,
    group: groupOf(definition.path),
    status: definition.status ?? 200,
    location: definition.location ?? definition.status === 201,
    bulk: definition.bulk ?? false,
    public: definition.public ?? false,
    person: definition.person ?? false,
    ofOrganization: definition.ofOrganization ?? false,
    list: (definition.list ?? false) as List,
    credentials: definition.credentials ?? [],
    raw: (definition.raw ?? false) as Raw,
    shownOnce: fieldsShownOnce(definition.data),
    query: (definition.query ?? nothing) as Query,
    body: (definition.body ?? nothing) as Body,
    /** Types only: the verb's input and output. */
    types: undefined as unknown as {
      input: Params<Path> & z.output<Query> & z.output<Body>;
      sent: Params<Path> & z.input<Query> & z.input<Body>;
      item: z.output<Data>;
    },
  };
}

/** Any endpoint, if the specific one is not known. */
export interface Endpoint
  extends Omit<Definition<string, z.ZodType, z.ZodType, z.ZodType, boolean, boolean>, "query" | "body"> {
  group: Group;
  query: z.ZodType;
  body: z.ZodType;
  list: boolean;
  raw: boolean;
  location: boolean;
  bulk: boolean;
  public: boolean;
  person: boolean;
  ofOrganization: boolean;
  credentials: readonly CredentialParameter[];
  shownOnce: readonly string[];
  status: 200 | 201 | 202;
  types: { input: unknown; sent: unknown; item: unknown };
}

/** One page of a list; `nextCursor` is null on the last page. */
export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** The input of a verb. */
export type Input<E extends { types: { input: unknown } }> = E["types"]["input"];
/** One item of a verb's output. */
export type Item<E extends { types: { item: unknown } }> = E["types"]["item"];
/** The output of a verb: the item, a page of items for a list, a Response for a raw endpoint. */
export type Output<E extends { types: { item: unknown }; list: boolean; raw: boolean }> = E extends { raw: true }
  ? Response
  : E extends { list: true }
    ? Page<Item<E>>
    : Item<E>;

/** RFC 3339 in UTC with milliseconds. */
export const time = z.iso.datetime({ precision: 3 }).meta({ example: "2026-11-21T14:31:58.207Z" });

/** The range of times that both PostgreSQL and RFC 3339 support. */
const EARLIEST = Date.parse("0001-01-01T00:00:00Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/** An RFC 3339 time with any offset, as text. `example` is in the error. */
export const offsetTime = (example: string) =>
  z.iso
    .datetime({ offset: true, error: `must be an RFC 3339 time such as ${example}` })
    .refine(
      (text) => !(Date.parse(text) < EARLIEST || Date.parse(text) > LATEST),
      "must be in the years 1 to 9999 in UTC",
    );

/** An RFC 3339 time with any offset; the verb receives Unix milliseconds. */
export const instant = offsetTime("2026-11-21T00:00:00Z")
  // Round up: `since` and `until` .1234 both cut between .123 and .124.
  .transform((text) => Date.parse(text) + (/\.\d{3}\d*[1-9]/.test(text) ? 1 : 0));
/** An id in lower case, as stored: PostgreSQL accepts both, and results are found by their ids. */
export const id = z.uuid().toLowerCase();
/** A user-defined name: 1 to 100 characters, without control and bidirectional control characters. */
export const name = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(100, "must have at most 100 characters")
  .regex(/^[^\p{Cc}\p{Cs}\p{Bidi_Control}]*$/u, "must not contain control characters");

/**
 * A number in a query: decimal digits, maybe with a fraction. `z.coerce.number()` takes an empty text for 0, and `0x10` for 16. What it is
 * if omitted is its `prefault`: the OpenAPI document leaves out a `default` behind a conversion.
 */
export function queryNumber<Schema extends z.ZodNumber>(schema: Schema) {
  const read = (text: unknown) => (typeof text === "string" && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  return z.preprocess(read, schema);
}

/** The parameters of all lists. */
export const pageQuery = {
  limit: queryNumber(z.number().int().min(1).max(200)).prefault(50).describe("Items per page, 1 to 200."),
  cursor: z
    .string()
    .max(4000)
    .optional()
    .describe("`next_cursor` of the previous page. Valid only with the same filters."),
};

const directions = ["asc", "desc"] as const;
export type Direction = (typeof directions)[number];

/** The direction of a list that can be sorted. */
export const order = z
  .enum(directions)
  .optional()
  .describe("Defaults to `desc` for `newest` and `discovered`, otherwise to `asc`. Reverses the whole order.");
