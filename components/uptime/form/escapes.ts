import type { TcpSettings } from "@/lib/uptime/tcp";

type Sent = Pick<TcpSettings, "send" | "send_encoding">;

const NAMED: Record<string, number> = { r: 13, n: 10, t: 9, "0": 0, "\\": 92 };
const ESCAPE = /\\(?:x([0-9a-f]{2})|([rnt0\\]))/gi;

/** What is sent, from text with the escapes `\\r`, `\\n`, `\\t`, `\\0`, `\\\\` and `\\x1f`: as text, or in base64 if it is not UTF-8. */
export function parseEscapes(text: string): Sent {
  if (text === "") return { send: null, send_encoding: "text" };
  const encoder = new TextEncoder();
  const bytes: number[] = [];
  let end = 0;
  for (const match of text.matchAll(ESCAPE)) {
    const [whole, hex, name = ""] = match;
    bytes.push(...encoder.encode(text.slice(end, match.index)));
    bytes.push(hex === undefined ? (NAMED[name.toLowerCase()] ?? 0) : Number.parseInt(hex, 16));
    end = match.index + whole.length;
  }
  bytes.push(...encoder.encode(text.slice(end)));
  const plain = textOf(bytes);
  if (plain !== null && !plain.includes("\0")) return { send: plain, send_encoding: "text" };
  return { send: btoa(String.fromCharCode(...bytes)), send_encoding: "base64" };
}

/** The text of bytes in UTF-8; null if they are none. */
function textOf(bytes: readonly number[]): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes));
  } catch {
    return null;
  }
}

/** The text with escapes that `parseEscapes` reads as these settings. */
export function escapesOf({ send, send_encoding }: Sent): string {
  if (send === null) return "";
  if (send_encoding === "base64") return [...atob(send)].map((byte) => escaped(byte, true)).join("");
  return [...send].map((character) => escaped(character, false)).join("");
}

function escaped(character: string, isByte: boolean): string {
  const code = character.codePointAt(0) ?? 0;
  const named = Object.keys(NAMED).find((name) => NAMED[name] === code);
  if (named !== undefined) return `\\${named}`;
  return code < 32 || code === 127 || (isByte && code > 127) ? `\\x${code.toString(16).padStart(2, "0")}` : character;
}
