import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/destinations/contract";
import { tryDestination } from "@/lib/destinations/sending/try";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.tryDestination, tryDestination));
