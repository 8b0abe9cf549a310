/** Where to go after signing in: only the path of what was asked for, so never another site. */
export function safePath(url: string | null | undefined): string {
  const base = "http://own.invalid";
  if (!url || !URL.canParse(url, base)) return "/";
  const { protocol, pathname, search } = new URL(url, base);
  // Behind two slashes a browser reads a host.
  return /^https?:$/.test(protocol) && !pathname.startsWith("//") ? pathname + search : "/";
}
