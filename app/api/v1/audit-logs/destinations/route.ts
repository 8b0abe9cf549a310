import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/destinations/contract";
import { createDestination } from "@/lib/destinations/create";
import { listDestinations } from "@/lib/destinations/list";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listDestinations, listDestinations),
  handle(contract.createDestination, createDestination),
);
