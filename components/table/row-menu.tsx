"use client";

import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Menu, MenuLabel, MenuLine } from "@/components/ui/menu";

/** The menu of a row with several actions, in a column with `ActionsHead`: a cell cuts off buttons that do not fit in it. */
export function RowMenu({
  name,
  reason,
  children,
}: {
  /** Of what the row is about. */
  name: string;
  /** Why items are disabled; null if none is. */
  reason: string | null;
  children: ReactNode;
}) {
  return (
    <Menu
      trigger={
        <Button kind="quiet" icon aria-label={`Actions for ${name}`} className="h-6 align-middle">
          <Ellipsis size={15} aria-hidden="true" />
        </Button>
      }
    >
      {children}
      {reason !== null && (
        <>
          <MenuLine />
          <MenuLabel>
            <span className="block max-w-52 whitespace-normal">{reason}</span>
          </MenuLabel>
        </>
      )}
    </Menu>
  );
}
