/** Longer bodies are truncated on screen; the API returns them in full. Characters. */
const MAX_SHOWN = 64 * 1024;

interface BodyView {
  /** Formatted JSON; null when the body is not JSON or formatting would change its meaning. */
  pretty: string | null;
  raw: string;
  isCut: boolean;
}

/** The bytes as they were submitted. */
export function bodyBytes(body: string, encoding: "utf8" | "base64"): Uint8Array<ArrayBuffer> {
  if (encoding === "utf8") return new TextEncoder().encode(body);
  return Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
}

/** A body for the screen. Control characters, which a page would hide, are shown as their symbols (␀ ␍ …). */
export function bodyView(body: string, encoding: "utf8" | "base64"): BodyView {
  const isCut = body.length > MAX_SHOWN;
  const raw = withControlPictures(isCut ? body.slice(0, MAX_SHOWN) : body);
  return { pretty: encoding === "utf8" && !isCut ? pretty(body) : null, raw, isCut };
}

function withControlPictures(text: string): string {
  let shown = "";
  for (const character of text) {
    const code = character.charCodeAt(0);
    const isPlain = code >= 0x20 ? code !== 0x7f : character === "\n" || character === "\t";
    shown += isPlain ? character : code === 0x7f ? "␡" : String.fromCharCode(0x2400 + code);
  }
  return shown;
}

function pretty(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
    // Formatting would change numbers beyond a double's precision and drop duplicate fields: then show the raw text only.
    const isSame = JSON.stringify(value).length === text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1").length;
    return isSame ? JSON.stringify(value, null, 2) : null;
  } catch {
    return null;
  }
}
