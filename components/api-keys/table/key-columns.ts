import type { Column } from "@/components/table/columns";

/** The columns of the tables of keys that people can hide. */
export const keyColumns: readonly Column[] = [
  { id: "permission", label: "Permission", roomOn: "md:hidden" },
  { id: "risks", label: "Risks", roomOn: "lg:hidden" },
  { id: "allowed", label: "Allowed from", roomOn: "2xl:hidden" },
  { id: "days", label: "30 days", roomOn: "max-lg:hidden xl:hidden" },
  { id: "requests", label: "Requests" },
  { id: "used", label: "Last used" },
  { id: "expires", label: "Expires", roomOn: "xl:hidden" },
  { id: "rotation", label: "Rotation due", roomOn: "min-[90rem]:hidden" },
  { id: "created", label: "Created", isExtra: true, roomOn: "xl:hidden" },
];
