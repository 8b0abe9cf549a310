"use client";

import { X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";

interface Message {
  id: number;
  words: string;
}

const nothing: Message[] = [];
let messages: Message[] = nothing;
let lastId = 0;
const listeners = new Set<() => void>();

function publish(next: Message[]) {
  messages = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells in a corner, for some seconds, that something was done. Failures stand where they happened instead. */
export function tell(words: string): void {
  lastId += 1;
  publish([...messages, { id: lastId, words }]);
}

/** Where `tell` speaks; once in the layout. */
export function Toaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => messages,
    () => nothing,
  );
  return (
    <Radix.Provider duration={5000}>
      {shown.map(({ id, words }) => (
        <Radix.Root
          key={id}
          onOpenChange={(open) => !open && publish(messages.filter((message) => message.id !== id))}
          className="flex animate-appear items-center justify-between gap-3 rounded-md bg-ink py-1 pr-1 pl-3 text-canvas shadow-float"
        >
          <Radix.Title>{words}</Radix.Title>
          <Radix.Close asChild>
            <Button kind="quiet" icon aria-label="Dismiss" className="text-canvas/70">
              <X size={14} aria-hidden="true" />
            </Button>
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed right-4 bottom-4 z-50 grid w-80 max-w-[calc(100vw-2rem)] gap-2 outline-none" />
    </Radix.Provider>
  );
}
