import { handle, route } from "@/lib/api/route";
import { getDestinationActivity } from "@/lib/destinations/activity";
import * as contract from "@/lib/destinations/contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getDestinationActivity, getDestinationActivity),
);
