import type { Column } from "@/components/table/columns";

/** The columns of the table of endpoints that people can hide. */
export const endpointColumns: readonly Column[] = [
  { id: "issuer", label: "Issuer" },
  { id: "left", label: "Time left" },
  { id: "expires", label: "Expires" },
  { id: "notifies", label: "Notifies" },
  { id: "tags", label: "Tags" },
  { id: "owner", label: "Owner", isExtra: true },
  { id: "checked", label: "Checked", isExtra: true },
];

/** Of tables without a choice, such as those of the overview. */
export const fixedEndpointColumns: ReadonlySet<string> = new Set(["issuer", "left", "expires", "notifies", "checked"]);

/** The screens that show the issuer. Hosts that are cut off look alike: beside the channels, the issuer gives way first. */
export function issuerScreens(hasChannels: boolean): string {
  return hasChannels ? "max-[90rem]:hidden" : "max-lg:hidden";
}
