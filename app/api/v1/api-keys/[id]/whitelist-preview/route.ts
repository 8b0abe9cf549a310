import { handle, route } from "@/lib/api/route";
import { previewWhitelist } from "@/lib/api-keys/preview-whitelist";
import * as contract from "@/lib/api-keys/usage-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.previewWhitelist, previewWhitelist),
);
