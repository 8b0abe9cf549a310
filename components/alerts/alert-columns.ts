import { type Column, shownColumns } from "@/components/table/columns";

/** The columns of the list of alerts that people can hide. */
export const alertColumns: readonly Column[] = [
  { id: "rule", label: "Rule" },
  { id: "state", label: "State" },
  { id: "opened", label: "Opened" },
  { id: "notified", label: "Last notified", isExtra: true },
];

/** Of tables without a choice, such as those of the overview. */
export const fixedAlertColumns = shownColumns(alertColumns, undefined);
