import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/api-keys/contract";
import { rotateApiKey } from "@/lib/api-keys/rotate";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.rotateApiKey, rotateApiKey));
