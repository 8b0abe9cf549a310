import * as contract from "@/lib/alerts/rules/contract";
import { createAlertRule } from "@/lib/alerts/rules/create";
import { listAlertRules } from "@/lib/alerts/rules/list";
import { door, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.listAlertRules, listAlertRules),
  door(contract.createAlertRule, createAlertRule),
);
