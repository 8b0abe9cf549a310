import type { Column } from "@/components/table/columns";

/** The columns of the table of monitors that people can hide. */
export const monitorColumns: readonly Column[] = [
  { id: "days", label: "30 days" },
  { id: "uptime", label: "Uptime" },
  { id: "response", label: "Response", roomOn: "lg:hidden" },
  { id: "tags", label: "Tags", roomOn: "xl:hidden" },
  { id: "checked", label: "Checked", roomOn: "xl:hidden" },
];

/** Of tables without a choice, such as those of the overview. */
export const fixedMonitorColumns: ReadonlySet<string> = new Set(["days", "uptime", "response", "checked"]);
