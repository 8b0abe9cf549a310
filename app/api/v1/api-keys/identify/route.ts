import { handle, route } from "@/lib/api/route";
import { identifyApiKey } from "@/lib/api-keys/identify";
import * as contract from "@/lib/api-keys/identify-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.identifyApiKey, identifyApiKey));
