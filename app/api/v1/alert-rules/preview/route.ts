import * as contract from "@/lib/alert-rules/contract";
import { previewAlertRule } from "@/lib/alert-rules/preview";
import { door, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.previewAlertRule, previewAlertRule),
);
