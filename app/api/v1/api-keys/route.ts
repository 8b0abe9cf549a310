import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/api-keys/contract";
import { createApiKey } from "@/lib/api-keys/create";
import { listApiKeys } from "@/lib/api-keys/list";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listApiKeys, listApiKeys),
  handle(contract.createApiKey, createApiKey),
);
