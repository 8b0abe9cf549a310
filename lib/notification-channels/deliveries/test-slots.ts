import { slotHolders } from "@/lib/audit-logs/read/slot-holders";
import { ApiError } from "@/lib/http/errors";
import { processSingleton } from "@/lib/process-singleton";
import { Slots } from "@/lib/slots";

/** Maximum concurrent tests of channels and destinations in one process: in total, per organization, and per creator. */
const MAX_TESTS = 20;
const MAX_OF_ONE = { organization: 3, creator: 4 };

/**
 * Takes a slot for a request that waits for the server of a channel or destination. Returns the function that releases it. Throws 503 if
 * too many are waiting.
 */
export async function takeTestSlot(organizationId: string): Promise<() => void> {
  const holders = await slotHolders(organizationId, MAX_OF_ONE);
  const release = processSingleton("notification-channels.tests", () => new Slots(MAX_TESTS)).take(holders);
  if (release !== null) return release;
  throw new ApiError("UNAVAILABLE", "Several tests are running already. Try again shortly.", { retry_after: 10 });
}
