"use client";

import { Columns3 } from "lucide-react";
import { eventColumns } from "@/components/audit-logs/events/event-columns";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { chosenColumns } from "@/components/audit-logs/views/view";
import { Button } from "@/components/ui/button";
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from "@/components/ui/menu";
import { columns } from "@/lib/audit-views/columns";

/** The columns of the list; the URL keeps them. */
export function ColumnMenu() {
  const { params, change } = useExplorerView();
  const shown = chosenColumns(params);
  return (
    <Menu
      trigger={
        <Button icon aria-label="Columns" title="Columns" className="max-md:hidden">
          <Columns3 size={13} aria-hidden="true" />
        </Button>
      }
    >
      <MenuLabel>Columns</MenuLabel>
      {columns.map((column) => (
        <MenuCheck
          key={column}
          checked={shown.includes(column)}
          onChange={(checked) => {
            const next = columns.filter((each) => (each === column ? checked : shown.includes(each)));
            // At least one column stays.
            if (next.length > 0) change({ columns: next.join(",") });
          }}
        >
          {eventColumns[column].label}
        </MenuCheck>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => change({ columns: null })}>Reset columns</MenuItem>
    </Menu>
  );
}
