import * as contract from "@/lib/alert-rules/contract";
import { deleteAlertRule } from "@/lib/alert-rules/delete";
import { getAlertRule } from "@/lib/alert-rules/get";
import { updateAlertRule } from "@/lib/alert-rules/update";
import { door, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.getAlertRule, getAlertRule),
  door(contract.updateAlertRule, updateAlertRule),
  door(contract.deleteAlertRule, deleteAlertRule),
);
