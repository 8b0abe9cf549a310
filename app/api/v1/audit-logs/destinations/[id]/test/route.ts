import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/destinations/contract";
import { testDestination } from "@/lib/destinations/sending/test";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.testDestination, testDestination),
);
