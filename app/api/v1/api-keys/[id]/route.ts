import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/api-keys/contract";
import { getApiKey } from "@/lib/api-keys/get";
import { revokeApiKey } from "@/lib/api-keys/revoke";
import { updateApiKey } from "@/lib/api-keys/update";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.getApiKey, getApiKey),
  door(contract.updateApiKey, updateApiKey),
  door(contract.revokeApiKey, revokeApiKey),
);
