"use client";

import { Search } from "lucide-react";
import { show } from "@/components/palette/opened";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";

/** Opens the palette: a field in the sidebar, an icon on phones. */
export function PaletteButton({ icon = false }: { icon?: boolean }) {
  if (icon) {
    return (
      <Button kind="quiet" icon aria-label="Search or run a command" onClick={() => show("palette")}>
        <Search size={17} aria-hidden="true" />
      </Button>
    );
  }
  return (
    <button
      type="button"
      onClick={() => show("palette")}
      aria-keyshortcuts="Control+K Meta+K"
      className="flex h-7 w-full items-center justify-between rounded-sm px-2 text-second hover:bg-line/60 hover:text-ink max-md:hidden"
    >
      <span className="flex items-center gap-2">
        <Search size={13} aria-hidden="true" />
        Search or run…
      </span>
      <span aria-hidden="true">
        <Kbd>Ctrl K</Kbd>
      </span>
    </button>
  );
}
