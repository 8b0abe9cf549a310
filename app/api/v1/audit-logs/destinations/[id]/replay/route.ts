import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/destinations/contract";
import { replayDestination } from "@/lib/destinations/replay";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.replayDestination, replayDestination),
);
