import { z } from "zod";
import type { Action } from "@/lib/http/actions";
import { type Group, groupOf } from "@/lib/http/groups";

export const API_PREFIX = "/api/v1";

/** The names in braces of a path: `/api-keys/{id}` → `id`. */
type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;
type Params<Path extends string> = { [Name in ParamNames<Path>]: string };

export type EndpointMethod = "GET" | "POST" | "PUT" | "DELETE";

interface Definition<
  Path extends string,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
  List extends boolean,
  Raw extends boolean,
> {
  method: EndpointMethod;
  /** Under `/api/v1`; `{id}` stands for a UUID, anything else there is answered 404. */
  path: Path;
  action: Action;
  summary: string;
  /** Query parameters, as strings. None unless given. */
  query?: Query;
  /** The JSON body. None unless given. */
  body?: Body;
  /** What stands under `data`; with `list`, one item of it. */
  data: Data;
  list?: List;
  /** 200 unless given. */
  status?: 200 | 201;
  /** Not counted against the group's limit, and takes bodies up to 10 MiB. */
  bulk?: boolean;
  /** Answered without a credential too, then limited by address. */
  public?: boolean;
  /** Refused to keys: what it does, only a person can. */
  person?: boolean;
  /** `{id}` names an organization: a person who is a member of it acts there, whichever one their browser works in. */
  ofOrganization?: boolean;
  /** Query parameters that are credentials: the log says that they were given, and not what they were. */
  credentials?: readonly string[];
  /** The verb answers with a Response of its own: a document or a stream, not `{data}`. */
  raw?: Raw;
  /** Media types of a raw answer, where that is not JSON. */
  media?: readonly string[];
}

/** Marks a field of an answer as a secret that this answer alone shows: no repetition of it has the field. */
export function shownOnce<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ [SHOWN_ONCE]: true });
}
export const SHOWN_ONCE = "x-shown-once";

/** The fields of an answer that it alone shows. */
function fieldsShownOnce(data: z.ZodType): string[] {
  if (!(data instanceof z.ZodObject)) return [];
  return Object.keys(data.shape).filter((field) => data.shape[field].meta()?.[SHOWN_ONCE] === true);
}

/** Of a field that is kept and not shown. The log keeps each body as submitted, and all who may read the log may read it there. */
export const WRITE_ONLY =
  "Never shown again; the audit log keeps the request as it was sent, where every member and every key of the organization can read it, `read` keys too.";

/** No field at all. Typed so that it adds nothing to the input. */
const nothing: z.ZodType<unknown> = z.strictObject({});

/** One endpoint as data: what validates, what documents, what types the client. */
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
    /** Only in types: what the verb is given, and what it answers with. */
    types: undefined as unknown as {
      input: Params<Path> & z.output<Query> & z.output<Body>;
      sent: Params<Path> & z.input<Query> & z.input<Body>;
      item: z.output<Data>;
    },
  };
}

/** Any endpoint, when it is not known which. */
export interface Endpoint
  extends Omit<Definition<string, z.ZodType, z.ZodType, z.ZodType, boolean, boolean>, "query" | "body"> {
  group: Group;
  query: z.ZodType;
  body: z.ZodType;
  list: boolean;
  raw: boolean;
  bulk: boolean;
  public: boolean;
  person: boolean;
  ofOrganization: boolean;
  credentials: readonly string[];
  shownOnce: readonly string[];
  status: 200 | 201;
  types: { input: unknown; sent: unknown; item: unknown };
}

/** One page of a list; `nextCursor` is null on the last. */
export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** What a verb takes. */
export type Input<E extends { types: { input: unknown } }> = E["types"]["input"];
/** One item of what a verb answers. */
export type Item<E extends { types: { item: unknown } }> = E["types"]["item"];
/** What a verb answers: the item, a page of items for a list, a Response for a raw endpoint. */
export type Output<E extends { types: { item: unknown }; list: boolean; raw: boolean }> = E extends { raw: true }
  ? Response
  : E extends { list: true }
    ? Page<Item<E>>
    : Item<E>;

/** RFC 3339 in UTC with milliseconds. */
export const time = z.iso.datetime({ precision: 3 }).meta({ example: "2026-11-21T14:31:58.207Z" });

/** The times that both PostgreSQL and RFC 3339 can tell. */
const EARLIEST = Date.parse("0001-01-01T00:00:00Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/** An RFC 3339 time as given, with any offset; Unix milliseconds to the verb. */
export const instant = z.iso
  .datetime({ offset: true, error: "must be an RFC 3339 time such as 2026-11-21T00:00:00Z" })
  .refine(
    (text) => !(Date.parse(text) < EARLIEST || Date.parse(text) > LATEST),
    "must be in the years 1 to 9999 of UTC, which can be stored",
  )
  // We count in milliseconds: those since, and those before, .1234 are parted between .123 and .124.
  .transform((text) => Date.parse(text) + (/\.\d{3}\d*[1-9]/.test(text) ? 1 : 0));
export const id = z.uuid();
/** A name people give: 1 to 100 characters, none of which controls the terminal or the direction of writing. */
export const name = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(100, "must have at most 100 characters")
  .regex(/^[^\p{Cc}\p{Cs}\p{Bidi_Control}]*$/u, "must not contain control characters");

/** The parameters of every list. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(200).default(50).describe("Items per page, 1 to 200."),
  cursor: z
    .string()
    .max(1000)
    .optional()
    .describe("`next_cursor` of the page before; bound to the filters it was made with."),
};
