import type { Column } from "@/components/table/columns";

/** The columns of the inventory that people can hide. */
export const certificateColumns: readonly Column[] = [
  { id: "issuer", label: "Issuer" },
  { id: "key", label: "Key" },
  { id: "left", label: "Time left" },
  { id: "expires", label: "Expires" },
  { id: "served", label: "Served by" },
  { id: "seen", label: "First seen", isExtra: true },
  { id: "serial", label: "Serial number", isExtra: true },
];
