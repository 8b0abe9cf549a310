import type { Column } from "@/components/table/columns";

/** The columns of the tables of keys that people can hide. */
export const keyColumns: readonly Column[] = [
  { id: "permission", label: "Permission" },
  { id: "risks", label: "Risks" },
  { id: "allowed", label: "Allowed from" },
  { id: "days", label: "30 days" },
  { id: "requests", label: "Requests" },
  { id: "used", label: "Last used" },
  { id: "expires", label: "Expires" },
  { id: "rotation", label: "Rotation due" },
  { id: "created", label: "Created", isExtra: true },
];
