import type { Column } from "@/components/table/columns";

/** The columns of the table of endpoints that people can hide. */
export const endpointColumns: readonly Column[] = [
  { id: "issuer", label: "Issuer", roomOn: "min-[90rem]:hidden" },
  { id: "left", label: "Time left" },
  { id: "expires", label: "Expires", roomOn: "xl:hidden" },
  { id: "notifies", label: "Notifies", roomOn: "lg:hidden" },
  { id: "tags", label: "Tags", roomOn: "xl:hidden" },
  { id: "owner", label: "Owner", isExtra: true, roomOn: "xl:hidden" },
  { id: "checked", label: "Checked", isExtra: true, roomOn: "xl:hidden" },
];

/** Of tables without a choice, such as those of the overview. */
export const fixedEndpointColumns: ReadonlySet<string> = new Set(["issuer", "left", "expires", "notifies", "checked"]);

/** The screens that show the issuer. Hosts that are cut off look alike: beside the channels, the issuer gives way first. */
export function issuerScreens(hasChannels: boolean): string {
  return hasChannels ? "max-[90rem]:hidden" : "max-lg:hidden";
}
