import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/search/contract";
import { searchOrganization } from "@/lib/search/search";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.searchOrganization, searchOrganization),
);
