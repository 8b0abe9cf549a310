"use client";

import { ChevronDown, ListFilter } from "lucide-react";
import { dimensionLabels, groupedBy } from "@/components/audit-logs/group/group-words";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { Button } from "@/components/ui/button";
import { Menu, MenuChoice, MenuLine } from "@/components/ui/menu";
import { type GroupDimension, groupDimensions } from "@/lib/audit-logs/group/dimensions";

const NONE = "";

function choices(without: GroupDimension | undefined, none: string) {
  const others = groupDimensions.filter((each) => each !== without);
  return [
    { value: NONE, label: none },
    ...others.map((value) => ({ value: value as string, label: dimensionLabels[value] })),
  ];
}

/** Opens the facets, and groups the entries by one or two dimensions. */
export function GroupMenu() {
  const { params, go, change } = useExplorerView();
  const [first, second] = groupedBy(params);
  const isOpen = params.facets === "1";
  const words = [first, second].flatMap((each) => (each ? [dimensionLabels[each].toLowerCase()] : [])).join(", ");
  const group = (...by: (string | undefined)[]) => go({ group: by.filter(Boolean).join(",") || null, live: null });
  return (
    <>
      <Button
        aria-pressed={isOpen}
        title={isOpen ? "Close the facets" : "Show the most frequent values"}
        className={isOpen ? "text-seal!" : undefined}
        onClick={() => (isOpen ? change({ facets: null }) : go({ facets: "1" }))}
      >
        <ListFilter size={13} aria-hidden="true" />
        Facets
      </Button>
      <Menu
        trigger={
          <Button aria-label={words === "" ? "Group by" : `Group by: ${words}`}>
            {words === "" ? "Group by" : `By ${words}`}
            <ChevronDown size={13} className="text-third" aria-hidden="true" />
          </Button>
        }
      >
        <MenuChoice
          label="Group by"
          value={first ?? NONE}
          choices={choices(undefined, "No groups")}
          onChange={(value) => group(value, value === second || value === NONE ? undefined : second)}
        />
        {first && (
          <>
            <MenuLine />
            <MenuChoice
              label="Then by"
              value={second ?? NONE}
              choices={choices(first, "Nothing else")}
              onChange={(value) => group(first, value)}
            />
          </>
        )}
      </Menu>
    </>
  );
}
