import { expect, test } from "vitest";
import { seenAddresses } from "@/components/sites/addresses";

const [EARLY, LATE] = ["2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z"];
const connection = { address: "192.0.2.1", protocol: "TLSv1.3", cipher: "x", dns_ms: 1, connect_ms: 1, tls_ms: 1 };

test("an address is listed once, with everything that saw it and the newest time", () => {
  const seen = seenAddresses({
    endpoints: [{ connection, last_checked_at: EARLY } as never, { connection: null, last_checked_at: LATE }],
    monitors: [{ last_check: null }],
    name: { addresses: ["192.0.2.1", "192.0.2.0"], resolved_at: LATE },
  });
  expect(seen).toEqual([
    { address: "192.0.2.0", by: ["DNS lookup"], at: LATE },
    { address: "192.0.2.1", by: ["certificate check", "DNS lookup"], at: LATE },
  ]);
});

test("a name that never resolved has no address", () => {
  expect(seenAddresses({ endpoints: [], monitors: [], name: { addresses: [], resolved_at: null } })).toEqual([]);
});
