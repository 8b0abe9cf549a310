"use client";

import { X } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { createStore } from "@/components/requests/store";
import { Button } from "@/components/ui/button";

const SHOWN_MS = 5000;
const SHOWN_WITH_ACTION_MS = 10_000;

interface Action {
  /** Of its button: "Undo". */
  label: string;
  run: () => void;
}

interface Message {
  id: number;
  words: string;
  action: Action | undefined;
}

const messages = createStore<readonly Message[]>([]);
let lastId = 0;

/** Shows a toast for 5 seconds, 10 with an action, for a success or a failure without a form to show it in. */
export function showToast(words: string, action?: Action): void {
  lastId += 1;
  messages.set([...messages.get(), { id: lastId, words, action }]);
}

function dismiss(id: number) {
  messages.set(messages.get().filter((message) => message.id !== id));
}

function subscribeToVisibility(listener: () => void) {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

/** The region of the toasts; once in the layout. */
export function Toaster() {
  const shown = messages.use();
  return (
    <section
      aria-label="Notices"
      aria-live="polite"
      className="fixed right-4 bottom-4 z-50 grid w-80 max-w-[calc(100vw-2rem)] gap-2"
    >
      {shown.map((message) => (
        <Toast key={message.id} {...message} />
      ))}
    </section>
  );
}

/** Stays while it is hovered or focused, and while the tab is hidden: who comes back must still see it. */
function Toast({ id, words, action }: Message) {
  const [held, setHeld] = useState(false);
  const isVisible = useSyncExternalStore(
    subscribeToVisibility,
    () => document.visibilityState === "visible",
    () => true,
  );
  useEffect(() => {
    if (held || !isVisible) return;
    const timer = setTimeout(() => dismiss(id), action ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, held, isVisible, action]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only detects hover and focus
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="flex animate-appear items-center justify-between gap-3 rounded-md bg-ink py-1 pr-1 pl-3 text-canvas shadow-float"
    >
      <p className="min-w-0 flex-1">{words}</p>
      {action && (
        <Button
          kind="quiet"
          className="text-canvas"
          onClick={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <Button kind="quiet" icon aria-label="Dismiss" onClick={() => dismiss(id)} className="text-canvas/70">
        <X size={14} aria-hidden="true" />
      </Button>
    </div>
  );
}
