"use client";

import type { ReactNode } from "react";
import { destinations, otherKeys } from "@/components/palette/shortcuts";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";

/** The list of keyboard shortcuts. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts" wide>
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        <div className="grid content-start gap-5">
          {otherKeys.map(({ title, keys }) => (
            <Group key={title} title={title}>
              {keys.map(({ press, does }) => (
                <Line key={does} does={does}>
                  {press.map((each) => (
                    <Kbd key={each}>{each}</Kbd>
                  ))}
                </Line>
              ))}
            </Group>
          ))}
        </div>
        <Group title="Go to">
          {destinations.map(
            ({ href, label, letter }) =>
              letter && (
                <Line key={href} does={label}>
                  <Kbd>g</Kbd>
                  <Kbd>{letter}</Kbd>
                </Line>
              ),
          )}
        </Group>
      </div>
    </Dialog>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-third text-xs">{title}</h3>
      <dl className="border-t">{children}</dl>
    </section>
  );
}

function Line({ does, children }: { does: string; children: ReactNode }) {
  return (
    <div className="flex min-h-7 items-center justify-between gap-4 border-b py-0.5">
      <dt>{does}</dt>
      <dd className="flex shrink-0 gap-1">{children}</dd>
    </div>
  );
}
