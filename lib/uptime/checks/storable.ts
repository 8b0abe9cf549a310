import { toUSVString } from "node:util";

/** The first `most` characters of a text that somebody else sent, as PostgreSQL's JSON can hold it: without NUL and half characters. */
export function storable(text: string, most: number): string {
  return toUSVString(text.slice(0, most)).replaceAll("\0", "\ufffd");
}
