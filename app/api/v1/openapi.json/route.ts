import * as contract from "@/lib/api/openapi-contract";
import { handle, route } from "@/lib/api/route";
import { getOpenApi } from "@/lib/openapi/get";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.getOpenApi, getOpenApi));
