import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/api-keys/old-secrets/contract";
import { handleOldSecretUse } from "@/lib/api-keys/old-secrets/handle";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.handleOldSecretUse, handleOldSecretUse),
);
