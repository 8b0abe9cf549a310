import { getAlertCoverage } from "@/lib/alerts/coverage/get-coverage";
import * as contract from "@/lib/alerts/rules/coverage-contract";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getAlertCoverage, getAlertCoverage),
);
