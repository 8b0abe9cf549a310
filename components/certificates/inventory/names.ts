/** The attributes of an RFC 4514 name, most specific first, unescaped. */
function attributes(name: string): [type: string, value: string][] {
  return name.split(/(?<!\\)[,+]/).map((part) => {
    const at = part.indexOf("=");
    return [
      part.slice(0, at).trim().toUpperCase(),
      part
        .slice(at + 1)
        .replace(/\\([\s\S])/g, "$1")
        .trim(),
    ];
  });
}

/** A short form of a distinguished name: organization and common name, as far as present. */
export function shortName(name: string): string {
  const found = new Map(attributes(name).reverse());
  const common = found.get("CN") ?? found.get("OU");
  const organization = found.get("O");
  if (!common || !organization || common.startsWith(organization)) return common ?? organization ?? name;
  return `${organization} ${common}`;
}

/** `example.com`, with the port if it is not 443; an IPv6 address is then in brackets. */
export function endpointName({ host, port }: { host: string; port: number }): string {
  if (port === 443) return host;
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Parses a typed or pasted target: a host, `host:port` or a URL. The port is null if none was given. */
export function parseTarget(text: string): { host: string; port: number | null } {
  const bare = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")
    .replace(/[/?#].*$/s, "");
  const [, host = bare, port] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(bare) ?? [];
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: port === undefined ? null : Number(port) };
}
