"use client";

import { Menu, X } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Mark } from "@/components/layout/mark";
import { PaletteButton } from "@/components/palette/palette-button";
import { Button } from "@/components/ui/button";
import { Modal } from "@/components/ui/modal";

/** The top bar on phones and tablets, with the sidebar as a sheet behind a button. Navigating to another page closes it. */
export function TopBar({ children }: { children: ReactNode }) {
  const path = usePathname();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const close = () => setOpenedAt(null);
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center justify-between border-b bg-sunken px-4 lg:hidden">
      <Link href="/" prefetch={false} className="flex items-center gap-2 font-semibold text-lg tracking-tight">
        <Mark />
        Sealwatch
      </Link>
      <div className="-mr-2 flex gap-1">
        <PaletteButton icon />
        <Button kind="quiet" icon aria-label="Menu" onClick={() => setOpenedAt(path)}>
          <Menu size={18} aria-hidden="true" />
        </Button>
      </div>
      {openedAt === path && (
        <Modal
          onClose={close}
          aria-label="Menu"
          className="fixed inset-y-0 right-auto left-0 h-full max-h-none w-72 max-w-[85vw] bg-sunken text-ink shadow-float outline-none backdrop:bg-veil"
        >
          {children}
          <Button kind="quiet" icon aria-label="Close menu" onClick={close} className="absolute top-2.5 right-2.5">
            <X size={16} aria-hidden="true" />
          </Button>
        </Modal>
      )}
    </header>
  );
}
