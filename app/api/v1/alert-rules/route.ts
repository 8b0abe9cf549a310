import * as contract from "@/lib/alerts/rules/contract";
import { createAlertRule } from "@/lib/alerts/rules/create";
import { listAlertRules } from "@/lib/alerts/rules/list";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listAlertRules, listAlertRules),
  handle(contract.createAlertRule, createAlertRule),
);
