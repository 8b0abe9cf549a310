import { type Column, shownColumns } from "@/components/table/columns";

/** The columns of the list of alerts that people can hide. */
export const alertColumns: readonly Column[] = [
  { id: "rule", label: "Rule", roomOn: "xl:hidden" },
  { id: "state", label: "State", roomOn: "md:hidden" },
  { id: "opened", label: "Opened" },
  { id: "notified", label: "Last notified", isExtra: true, roomOn: "lg:hidden" },
];

/** Of tables without a choice, such as those of the overview. */
export const fixedAlertColumns = shownColumns(alertColumns, undefined);
