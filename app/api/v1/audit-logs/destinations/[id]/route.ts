import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/destinations/contract";
import { deleteDestination } from "@/lib/destinations/delete";
import { getDestination } from "@/lib/destinations/get";
import { updateDestination } from "@/lib/destinations/update";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getDestination, getDestination),
  handle(contract.updateDestination, updateDestination),
  handle(contract.deleteDestination, deleteDestination),
);
