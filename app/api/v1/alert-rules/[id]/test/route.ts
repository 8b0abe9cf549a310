import { testAlertRule } from "@/lib/alerts/evaluation/test-rule";
import * as contract from "@/lib/alerts/rules/contract";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.testAlertRule, testAlertRule));
