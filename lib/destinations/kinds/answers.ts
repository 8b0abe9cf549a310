import type { z } from "zod";
import type { SinkAnswer } from "@/lib/destinations/kinds/kind";

/** Characters of a receiver's text in a message. */
const MAX_SAID = 200;

/** The JSON of an answer if it has the given form, otherwise null. */
export function parsedAnswer<Shape extends z.ZodType>({ body }: SinkAnswer, shape: Shape): z.output<Shape> | null {
  try {
    return shape.safeParse(JSON.parse(body.toString("utf8"))).data ?? null;
  } catch {
    return null;
  }
}

/** Text of a receiver for a message: in one line, without controls, and cut. */
export function said(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_SAID)
    .replace(/\p{Cs}/gu, "");
}
