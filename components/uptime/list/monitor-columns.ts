import type { Column } from "@/components/table/columns";

/** The columns of the table of monitors that people can hide. */
export const monitorColumns: readonly Column[] = [
  { id: "days", label: "30 days" },
  { id: "uptime", label: "Uptime" },
  { id: "response", label: "Response" },
  { id: "tags", label: "Tags" },
  { id: "checked", label: "Checked" },
];

/** Of tables without a choice, such as those of the overview. */
export const fixedMonitorColumns: ReadonlySet<string> = new Set(["days", "uptime", "response", "checked"]);
