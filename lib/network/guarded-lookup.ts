import { isIP, type LookupFunction } from "node:net";
import { isForbidden } from "@/lib/network/guard";
import { type Resolve, resolveHost } from "@/lib/network/resolve";
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
}

/**
 * A `lookup` for sockets and requests: resolves once and returns only allowed addresses, so that connections go to the addresses that
 * were checked. Sockets skip it for addresses: see `refuseForbiddenAddress`. `resolved` receives the duration in milliseconds.
 */
export function guardedLookup(
  { allowedNetworks, resolve = resolveHost }: Guard,
  resolved?: (ms: number) => void,
): LookupFunction {
  return (host, { all }, done) => {
    const start = performance.now();
    resolve(host, allowedNetworks).then(
      (addresses) => {
        resolved?.(performance.now() - start);
        const permitted = addresses.filter((address) => !isForbidden(address, allowedNetworks));
        const [first] = permitted;
        if (addresses.length === 0) return done(Object.assign(new Error("no address"), { code: "ENODATA" }), "");
        if (first === undefined) return done(new ForbiddenAddress(host), "");
        if (all)
          done(
            null,
            permitted.map((address) => ({ address, family: isIP(address) })),
          );
        else done(null, first, isIP(first));
      },
      (error: NodeJS.ErrnoException) => done(error, ""),
    );
  };
}

/** Throws ForbiddenAddress if the host is a forbidden address; names are checked when they are resolved. */
export function refuseForbiddenAddress(host: string, { allowedNetworks }: Guard): void {
  if (isIP(host) !== 0 && isForbidden(host, allowedNetworks)) throw new ForbiddenAddress(host);
}
