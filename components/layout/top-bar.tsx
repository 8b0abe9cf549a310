"use client";

import { Menu, X } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { Dialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/mark";

/** On phones: the name, and the sidebar as a sheet behind a button. Arriving at another page closes it. */
export function TopBar({ children }: { children: ReactNode }) {
  const path = usePathname();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center justify-between border-b bg-sunken px-4 md:hidden">
      <Link href="/" className="flex items-center gap-2 font-semibold text-lg tracking-tight">
        <Mark />
        Sealwatch
      </Link>
      <Dialog.Root open={openedAt === path} onOpenChange={(open) => setOpenedAt(open ? path : null)}>
        <Dialog.Trigger asChild>
          <Button kind="quiet" icon aria-label="Menu" className="-mr-2">
            <Menu size={18} aria-hidden="true" />
          </Button>
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 bg-veil" />
          <Dialog.Content
            aria-describedby={undefined}
            className="fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] bg-sunken shadow-float outline-none"
          >
            <Dialog.Title className="sr-only">Menu</Dialog.Title>
            {children}
            <Dialog.Close asChild>
              <Button kind="quiet" icon aria-label="Close the menu" className="absolute top-2.5 right-2.5">
                <X size={16} aria-hidden="true" />
              </Button>
            </Dialog.Close>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </header>
  );
}
