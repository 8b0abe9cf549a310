import { handle, route } from "@/lib/api/route";
import { getApiKeyUsage } from "@/lib/api-keys/usage";
import * as contract from "@/lib/api-keys/usage-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.getApiKeyUsage, getApiKeyUsage));
