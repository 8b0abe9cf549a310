import type { Otlp, OtlpAttribute } from "@/e2e/support/stand-ins/trace-collector";

/** The fields of a message by number: numbers, and bytes of texts and messages. https://protobuf.dev/programming-guides/encoding/ */
type Fields = Map<number, (number | Buffer)[]>;

function readFields(bytes: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const readVarint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes.readUInt8(at++);
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const readers: Record<number, () => number | Buffer> = {
    0: readVarint,
    1: () => take(8),
    2: () => take(readVarint()),
    5: () => take(4),
  };
  while (at < bytes.length) {
    const tag = readVarint();
    const read = readers[tag & 7];
    if (read === undefined) throw new Error(`no protobuf: wire type ${tag & 7}`);
    const number = Math.floor(tag / 8);
    fields.set(number, [...(fields.get(number) ?? []), read()]);
  }
  return fields;
}

const messages = (fields: Fields, number: number) =>
  (fields.get(number) ?? []).map((each) => readFields(each as Buffer));
const bytesOf = (fields: Fields, number: number) => (fields.get(number)?.[0] ?? Buffer.alloc(0)) as Buffer;
const textOf = (fields: Fields, number: number) => bytesOf(fields, number).toString("utf8");

function attributeOf(fields: Fields): OtlpAttribute {
  const [value = new Map() as Fields] = messages(fields, 2);
  const has = (number: number) => value.has(number);
  return {
    key: textOf(fields, 1),
    value: {
      ...(has(1) && { stringValue: textOf(value, 1) }),
      ...(has(2) && { boolValue: value.get(2)?.[0] === 1 }),
      ...(has(3) && { intValue: value.get(3)?.[0] as number }),
      ...(has(4) && { doubleValue: bytesOf(value, 4).readDoubleLE() }),
    },
  };
}

/** OTLP in protobuf, as JSON would have it: https://github.com/open-telemetry/opentelemetry-proto, `trace/v1/trace.proto`. */
export function parseOtlpProtobuf(body: Buffer): Otlp {
  const resourceSpans = messages(readFields(body), 1).map((each) => ({
    resource: { attributes: messages(each, 1).flatMap((resource) => messages(resource, 1).map(attributeOf)) },
    scopeSpans: messages(each, 2).map((scope) => ({
      spans: messages(scope, 2).map((span) => ({
        traceId: bytesOf(span, 1).toString("hex"),
        spanId: bytesOf(span, 2).toString("hex"),
        parentSpanId: bytesOf(span, 4).toString("hex"),
        name: textOf(span, 5),
        kind: span.get(6)?.[0] as number,
        attributes: messages(span, 9).map(attributeOf),
        status: { code: (messages(span, 15)[0]?.get(3)?.[0] ?? 0) as number },
      })),
    })),
  }));
  return { resourceSpans };
}
