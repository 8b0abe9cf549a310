/** The path to open after signing in. Only the path and query of the URL are used, so that it never leads to another site. */
export function safePath(url: string | null | undefined): string {
  const base = "http://own.invalid";
  if (!url || !URL.canParse(url, base)) return "/";
  const { protocol, pathname, search } = new URL(url, base);
  // After two slashes, a browser reads a host name.
  return /^https?:$/.test(protocol) && !pathname.startsWith("//") ? pathname + search : "/";
}
