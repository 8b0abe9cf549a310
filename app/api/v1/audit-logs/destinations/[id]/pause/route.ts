import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/destinations/contract";
import { pauseDestination } from "@/lib/destinations/pause";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.pauseDestination, pauseDestination),
);
