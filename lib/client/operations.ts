import type { components, Operations } from "./schema.js";

/** A method and a path below `/api/v1`, such as `GET /api-keys/{id}`. */
export type OperationKey = keyof Operations;
/** The named types of the API. */
export type Schemas = components["schemas"];

type Part<Holder, Name extends string> = Holder extends { [Key in Name]?: infer Value } ? NonNullable<Value> : never;
type Given<Value> = [Value] extends [never] ? unknown : Value;
type Parameters<Key extends OperationKey, Where extends string> = Given<Part<Operations[Key]["parameters"], Where>>;
type Body<Key extends OperationKey> = Given<
  Part<Part<Part<Operations[Key], "requestBody">, "content">, "application/json">
>;
type Success<Key extends OperationKey> =
  Operations[Key]["responses"] extends Record<number, infer Response> ? Part<Response, "content"> : never;
type Json<Key extends OperationKey> = Success<Key> extends { "application/json": infer Content } ? Content : never;

/** Path parameters, query and body as one object. */
export type InputOf<Key extends OperationKey> = object & Parameters<Key, "path"> & Parameters<Key, "query"> & Body<Key>;

/** `list`: pages of items; `one`: `{data}`; `raw`: a file, a document or a stream. */
type KindOf<Key extends OperationKey> =
  Json<Key> extends { data: unknown; pagination: unknown }
    ? "list"
    : Json<Key> extends { data: unknown }
      ? "one"
      : "raw";

export type KeysOf<Kind extends "list" | "one" | "raw"> = {
  [Key in OperationKey]: KindOf<Key> extends Kind ? Key : never;
}[OperationKey];

/** The data of an answer; of a list, one item. */
export type DataOf<Key extends OperationKey> =
  Json<Key> extends { data: infer Data; pagination: unknown }
    ? Data extends readonly (infer Item)[]
      ? Item
      : never
    : Json<Key> extends { data: infer Data }
      ? Data
      : never;
