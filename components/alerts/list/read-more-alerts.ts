import { alertSteps, type Position, readSteps, URGENCY } from "@/components/alerts/list/alert-steps";
import type { ListPart } from "@/components/table/infinite/list-part";
import type { Alert, listAlerts } from "@/lib/alerts/contract";

const LIMIT = 200;

/** Reads on from a position in the list of the page's URL. Throws RequestFailed. */
export async function readMoreAlerts(
  params: Record<string, string>,
  from: Position,
): Promise<ListPart<Alert, Position>> {
  // The contract brings the validation library, so it is loaded only when a reader needs another page.
  const [{ call }, contract] = await Promise.all([import("@/lib/http/client"), import("@/lib/alerts/contract")]);
  const { sort, ...filters } = params;
  const asked = { ...filters, ...(sort !== undefined && sort !== URGENCY && { sort }) };
  return readSteps(alertSteps(params), from, LIMIT, async (step, cursor, limit) => {
    const sent = { ...asked, ...step, limit, cursor } as (typeof listAlerts)["types"]["sent"];
    const { data, pagination } = await call(contract.listAlerts, sent);
    return { items: data, nextCursor: pagination.next_cursor };
  });
}
