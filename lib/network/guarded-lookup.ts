import { isIP, type LookupFunction } from "node:net";
import { isForbidden } from "@/lib/network/guard";
import { type Resolve, resolveHost } from "@/lib/network/resolve";
import type { Network } from "@/lib/networks";

/** No address of a host may be reached. */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";
  readonly code = "EFORBIDDEN";

  constructor(readonly host: string) {
    super(`${host} leads to a network that may not be reached`);
  }
}

export interface Guard {
  /** Otherwise forbidden networks that may be reached. */
  allowedNetworks: readonly Network[];
  resolve?: Resolve;
}

/**
 * A `lookup` for sockets and requests: resolves once and hands on only addresses that may be reached, so that what was checked is what
 * is connected to. Sockets do not look addresses up: see `refuseForbiddenAddress`. `resolved` hears the milliseconds it took.
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

/** Throws ForbiddenAddress for a host that is an address which may not be reached; a name is judged when it is looked up. */
export function refuseForbiddenAddress(host: string, { allowedNetworks }: Guard): void {
  if (isIP(host) !== 0 && isForbidden(host, allowedNetworks)) throw new ForbiddenAddress(host);
}
