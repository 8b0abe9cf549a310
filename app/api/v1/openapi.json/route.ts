import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/openapi/contract";
import { getOpenApi } from "@/lib/openapi/get";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(door(contract.getOpenApi, getOpenApi));
