import { type Der, readAll, readDer, TAG } from "@/lib/der";

/** Spaces of names; null if none is of this form. */
interface Spaces {
  /** Domains in lower case, by their length; one that begins with a dot has only the names below it. */
  dns: ReadonlyMap<number, ReadonlySet<string>> | null;
  /** Each an address and a mask of the same length. */
  ip: readonly Uint8Array[] | null;
}

/** Name constraints (RFC 5280, 4.2.1.10) for host names and addresses. OpenSSL's opinion covers the other forms. */
export interface NameConstraints {
  permitted: Spaces;
  excluded: Spaces;
  /** Number of spaces, of any form. */
  count: number;
}

/** A name as the certificate has it: a host name in ASCII, or the bytes of an address. */
export type ConstrainedName = { type: "dns"; value: string } | { type: "ip"; value: Uint8Array };

const DNS_NAME = TAG.CONTEXT + 2;
const IP_ADDRESS = TAG.CONTEXT + 7;

/** Maximum number of spaces to read; more are malformed. Parsed certificates are cached. */
const MAX_SPACES = 2_000;

/** A GeneralSubtree, whose minimum and maximum must be absent. */
function readBase(subtree: Der): Der {
  const [base, ...range] = readAll(subtree.content);
  if (subtree.tag !== TAG.SEQUENCE || base === undefined || range.length > 0) throw new RangeError("no subtree");
  if (base.tag === IP_ADDRESS && base.content.length !== 8 && base.content.length !== 32)
    throw new RangeError("no network");
  return base;
}

function byLength(domains: readonly string[]): Map<number, Set<string>> {
  const groups = new Map<number, Set<string>>();
  for (const domain of domains) {
    groups.set(domain.length, (groups.get(domain.length) ?? new Set<string>()).add(domain));
  }
  return groups;
}

function readSpaces(subtrees: Der | undefined): Spaces {
  const bases = subtrees === undefined ? [] : readAll(subtrees.content, MAX_SPACES).map(readBase);
  const dns = bases.filter(({ tag }) => tag === DNS_NAME);
  const ip = bases.filter(({ tag }) => tag === IP_ADDRESS);
  return {
    dns:
      dns.length === 0
        ? null
        : byLength(dns.map(({ content }) => Buffer.from(content).toString("latin1").toLowerCase())),
    ip: ip.length === 0 ? null : ip.map(({ content }) => Uint8Array.from(content)),
  };
}

/** Reads the extension's value. Throws a RangeError if it is malformed. */
export function readNameConstraints(value: Uint8Array): NameConstraints {
  const { element, rest } = readDer(value);
  const fields = readAll(element.content);
  const [permitted, excluded] = [0, 1].map((n) =>
    fields.filter(({ tag }) => tag === TAG.CONTEXT + TAG.CONSTRUCTED + n),
  );
  const known = (permitted?.length ?? 0) + (excluded?.length ?? 0);
  const isRepeated = (permitted?.length ?? 0) > 1 || (excluded?.length ?? 0) > 1;
  if (element.tag !== TAG.SEQUENCE || rest.length > 0 || isRepeated || known < fields.length)
    throw new RangeError("no name constraints");
  const count = [...(permitted ?? []), ...(excluded ?? [])].flatMap(({ content }) => readAll(content)).length;
  return { permitted: readSpaces(permitted?.[0]), excluded: readSpaces(excluded?.[0]), count };
}

/** Whether a domain of `spaces` is the name or one of its parents. Not by each parent: a hostile name has very many. */
function coversDomain(spaces: ReadonlyMap<number, ReadonlySet<string>>, name: string): boolean {
  for (const [length, domains] of spaces) {
    const start = name.length - length;
    const isParent = length === 0 || start === 0 || name[start] === "." || name[start - 1] === ".";
    if (start >= 0 && isParent && domains.has(name.slice(start))) return true;
  }
  return false;
}

function coversAddress(networks: readonly Uint8Array[], address: Uint8Array): boolean {
  const size = address.length;
  return networks.some((network) => {
    if (network.length !== 2 * size) return false;
    return address.every((byte, at) => ((byte ^ (network[at] ?? 0)) & (network[size + at] ?? 0)) === 0);
  });
}

/** Whether `spaces` covers the name; null if it has no space of this form. */
function covers(spaces: Spaces, { type, value }: ConstrainedName): boolean | null {
  if (type === "dns") return spaces.dns && coversDomain(spaces.dns, value.toLowerCase());
  return spaces.ip && coversAddress(spaces.ip, value);
}

/** Why the constraints do not permit a name; null if they do. */
export function violates(
  { permitted, excluded }: NameConstraints,
  name: ConstrainedName,
): "excluded" | "not_permitted" | null {
  if (covers(excluded, name)) return "excluded";
  return covers(permitted, name) === false ? "not_permitted" : null;
}

/** OpenSSL rejects a certificate that needs more comparisons. */
const MAX_COMPARISONS = 2 ** 20;
/** Of addresses with networks, which we compare one by one. */
const MAX_ADDRESS_COMPARISONS = 2 ** 16;

/** Host names have no more characters. */
const MAX_HOST_LENGTH = 255;
/** Of host names with domains: each name with one domain of each length. */
const MAX_HOST_CHARACTERS = 2 ** 22;

/** Whether host names or domains are too long, or too long together. */
function isTooLong(lengths: readonly number[], hosts: readonly string[]): boolean {
  if ([...lengths, ...hosts.map(({ length }) => length)].some((length) => length > MAX_HOST_LENGTH)) return true;
  return hosts.length * lengths.reduce((sum, length) => sum + length, 0) > MAX_HOST_CHARACTERS;
}

/** Whether comparing these names, all of a certificate, with the constraints is too much work. */
export function isTooMuch(
  { permitted, excluded, count }: NameConstraints,
  names: readonly { type: string; value: string }[],
): boolean {
  const networks = (permitted.ip?.length ?? 0) + (excluded.ip?.length ?? 0);
  if (names.length * count > MAX_COMPARISONS || names.length * networks > MAX_ADDRESS_COMPARISONS) return true;
  const lengths = [permitted, excluded].flatMap(({ dns }) => [...(dns?.keys() ?? [])]);
  const hosts = names.filter(({ type }) => type === "dns").map(({ value }) => value);
  return lengths.length > 0 && isTooLong(lengths, hosts);
}
