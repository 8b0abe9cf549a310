import * as contract from "@/lib/alert-rules/contract";
import { createAlertRule } from "@/lib/alert-rules/create";
import { listAlertRules } from "@/lib/alert-rules/list";
import { door, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.listAlertRules, listAlertRules),
  door(contract.createAlertRule, createAlertRule),
);
