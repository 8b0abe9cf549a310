import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/api-keys/contract";
import { getApiKey } from "@/lib/api-keys/get";
import { revokeApiKey } from "@/lib/api-keys/revoke";
import { updateApiKey } from "@/lib/api-keys/update";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getApiKey, getApiKey),
  handle(contract.updateApiKey, updateApiKey),
  handle(contract.revokeApiKey, revokeApiKey),
);
