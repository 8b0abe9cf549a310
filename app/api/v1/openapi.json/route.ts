import * as contract from "@/lib/api/openapi-contract";
import { door, route } from "@/lib/api/route";
import { getOpenApi } from "@/lib/openapi/get";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(door(contract.getOpenApi, getOpenApi));
