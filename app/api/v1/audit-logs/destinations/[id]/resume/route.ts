import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/destinations/contract";
import { resumeDestination } from "@/lib/destinations/resume";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.resumeDestination, resumeDestination),
);
