import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/api-keys/old-secrets/contract";
import { getOldSecretUse } from "@/lib/api-keys/old-secrets/get";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getOldSecretUse, getOldSecretUse),
);
