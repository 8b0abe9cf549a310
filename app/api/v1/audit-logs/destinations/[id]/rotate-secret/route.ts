import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/destinations/contract";
import { rotateDestinationSecret } from "@/lib/destinations/rotate-secret";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.rotateDestinationSecret, rotateDestinationSecret),
);
