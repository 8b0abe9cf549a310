import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { requireReadableRoots } from "@/lib/certificates/trust-stores/trust-store";
import { ConfigError } from "@/lib/config";

/** A subject alternative name that is cut off. */
const CUT = { oid: "2.5.29.17", hex: "3005" };

test("an operator's root that OpenSSL accepts but no check can parse is refused with its position", async () => {
  const good = await makeCertificate({ name: "Good Root", ca: true });
  const odd = await makeCertificate({ name: "Odd Root", ca: true, extensions: [CUT] });
  expect(new X509Certificate(odd.pem).subject).toBe("CN=Odd Root");
  requireReadableRoots([good, good]);
  expect(() => requireReadableRoots([good, odd])).toThrow(ConfigError);
  expect(() => requireReadableRoots([good, odd])).toThrow(/^PUBLIC_ROOTS_FILE .* the 2\. cannot be/);
});
