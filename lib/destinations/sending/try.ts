import type * as contract from "@/lib/destinations/contract";
import { filtersOf } from "@/lib/destinations/destination";
import { requireFormat } from "@/lib/destinations/require-format";
import { parseValues } from "@/lib/destinations/secrets";
import { testTarget } from "@/lib/destinations/sending/test-target";
import { shapeOf } from "@/lib/destinations/shapes";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { newSigningSecret } from "@/lib/notification-channels/providers/webhook";

/** Tests settings before they are saved. What is signed has a secret that is thrown away. Throws 400, 403, 409, 503. */
export async function tryDestination(
  principal: Principal,
  { type, settings, secrets, format, query }: Input<typeof contract.tryDestination>,
): Promise<Output<typeof contract.tryDestination>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const values = parseValues(type, { settings, secrets });
  const signingSecrets = shapeOf(type).isSigned ? [newSigningSecret()] : [];
  const target = { id: newId(), ...values, signingSecrets };
  return testTarget({ organizationId, type, format: requireFormat(type, format), filters: filtersOf(query), target });
}
