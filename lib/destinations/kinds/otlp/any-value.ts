/** A value of any type in OTLP's JSON encoding (`opentelemetry.proto.common.v1.AnyValue`). No member: null. */
export type AnyValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: AnyValue[] } }
  | { kvlistValue: { values: KeyValue[] } }
  | Record<string, never>;

export interface KeyValue {
  key: string;
  value: AnyValue;
}

/** A JSON value. 64-bit integers are decimal texts, and undefined members are left out. */
export function anyValue(value: unknown): AnyValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value === "object" && value !== null) return { kvlistValue: { values: keyValues(value) } };
  return {};
}

export function keyValues(members: object): KeyValue[] {
  return Object.entries(members).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}
