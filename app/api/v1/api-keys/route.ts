import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/api-keys/contract";
import { createApiKey } from "@/lib/api-keys/create";
import { listApiKeys } from "@/lib/api-keys/list";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.listApiKeys, listApiKeys),
  door(contract.createApiKey, createApiKey),
);
