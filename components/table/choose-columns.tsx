"use client";

import { Columns3 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { remember } from "@/components/layout/remember";
import { type Column, columnsValue } from "@/components/table/columns";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Menu, MenuCheck } from "@/components/ui/menu";

/** Chooses the columns of a table. A cookie remembers the choice, and the server renders the table with it. */
export function ChooseColumns({
  cookie,
  columns,
  shown: initial,
}: {
  /** The name of the cookie. */
  cookie: string;
  columns: readonly Column[];
  shown: ReadonlySet<string>;
}) {
  const router = useRouter();
  const [shown, setShown] = useState(initial);
  const toggle = (id: string, isShown: boolean) => {
    const next = new Set(shown);
    if (isShown) next.add(id);
    else next.delete(id);
    setShown(next);
    remember(cookie, columnsValue(columns, next));
    router.refresh();
  };
  const trigger = (
    <Button icon aria-label="Columns" title="Columns">
      <Columns3 size={14} aria-hidden="true" />
    </Button>
  );
  return (
    <span className="max-sm:hidden">
      <Menu trigger={trigger}>
        {columns.map(({ id, label, roomOn }) => (
          <MenuCheck key={id} checked={shown.has(id)} onChange={(isShown) => toggle(id, isShown)}>
            {label}
            {roomOn && <span className={cx("ml-2 text-third", roomOn)}>in a wider window</span>}
          </MenuCheck>
        ))}
      </Menu>
    </span>
  );
}
