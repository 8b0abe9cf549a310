const YEAR_S = 31_536_000;

/** Stores a preference in a cookie, so that the server can render with it. Null deletes it. */
export function remember(name: string, value: string | null): void {
  const age = value === null ? 0 : YEAR_S;
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where a page is not served over https
  document.cookie = `${name}=${encodeURIComponent(value ?? "")}; path=/; max-age=${age}; samesite=lax${secure}`;
}
