import { deleteAlertRule } from "@/lib/alerts/evaluation/delete-rule";
import * as contract from "@/lib/alerts/rules/contract";
import { getAlertRule } from "@/lib/alerts/rules/get";
import { updateAlertRule } from "@/lib/alerts/rules/update";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getAlertRule, getAlertRule),
  handle(contract.updateAlertRule, updateAlertRule),
  handle(contract.deleteAlertRule, deleteAlertRule),
);
