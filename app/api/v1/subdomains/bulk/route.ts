import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/subdomains/contract";
import { reviewSubdomains } from "@/lib/subdomains/review-subdomains";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.reviewSubdomains, reviewSubdomains),
);
