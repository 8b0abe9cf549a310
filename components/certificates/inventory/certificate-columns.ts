import type { Column } from "@/components/table/columns";

/** The columns of the inventory that people can hide. */
export const certificateColumns: readonly Column[] = [
  { id: "issuer", label: "Issuer", roomOn: "xl:hidden" },
  { id: "key", label: "Key", roomOn: "xl:hidden" },
  { id: "left", label: "Time left" },
  { id: "expires", label: "Expires", roomOn: "md:hidden" },
  { id: "served", label: "Served by" },
  { id: "seen", label: "First seen", isExtra: true, roomOn: "xl:hidden" },
  { id: "serial", label: "Serial number", isExtra: true, roomOn: "xl:hidden" },
];
