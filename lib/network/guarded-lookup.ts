import { isIP, type LookupFunction } from "node:net";
import { isForbidden } from "@/lib/network/guard";
import { type Family, type Resolve, resolveHost } from "@/lib/network/resolve";
import type { Network } from "@/lib/networks";

/** All addresses of a host are forbidden. */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";
  readonly code = "EFORBIDDEN";

  constructor(readonly host: string) {
    super(`${host} leads to a network that may not be reached`);
  }
}

export interface Guard {
  /** Networks that are allowed although they are forbidden by default. */
  allowedNetworks: readonly Network[];
  resolve?: Resolve;
  /** The only version of IP to connect with. */
  family?: Family;
}

/** A host has no address of the wanted version of IP. */
export class NoAddressOfFamily extends Error {
  override readonly name = "NoAddressOfFamily";
  readonly code = "ENODATA";

  constructor(host: string, family: Family) {
    super(`${host} has no IPv${family} address`);
  }
}

/**
 * A `lookup` for sockets and requests: resolves once and returns only allowed addresses, so that connections go to the addresses that
 * were checked. Sockets skip it for addresses: see `refuseForbiddenAddress`. `resolved` receives the duration in milliseconds.
 */
export function guardedLookup(
  { allowedNetworks, resolve = resolveHost, family }: Guard,
  resolved?: (ms: number) => void,
): LookupFunction {
  return (host, { all }, done) => {
    const start = performance.now();
    const missing = family && new NoAddressOfFamily(host, family);
    resolve(host, allowedNetworks, family).then(
      (found) => {
        const addresses = found.filter((address) => family === undefined || isIP(address) === family);
        resolved?.(performance.now() - start);
        const permitted = addresses.filter((address) => !isForbidden(address, allowedNetworks));
        const [first] = permitted;
        if (addresses.length === 0) {
          return done(missing ?? Object.assign(new Error("no address"), { code: "ENODATA" }), "");
        }
        if (first === undefined) return done(new ForbiddenAddress(host), "");
        if (all)
          done(
            null,
            permitted.map((address) => ({ address, family: isIP(address) })),
          );
        else done(null, first, isIP(first));
      },
      (error: NodeJS.ErrnoException) => done(error.code === "ENODATA" ? (missing ?? error) : error, ""),
    );
  };
}

/**
 * Throws ForbiddenAddress if the host is a forbidden address, NoAddressOfFamily if it is one of another version; names are checked
 * when they are resolved.
 */
export function refuseForbiddenAddress(host: string, { allowedNetworks, family }: Guard): void {
  const version = isIP(host);
  if (version !== 0 && isForbidden(host, allowedNetworks)) throw new ForbiddenAddress(host);
  if (version !== 0 && family !== undefined && version !== family) throw new NoAddressOfFamily(host, family);
}
