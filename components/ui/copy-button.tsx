"use client";

import { Check, Copy } from "lucide-react";
import { type ComponentProps, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";

const SHOWN_MS = 1600;

/**
 * Copies `text` and confirms it; a function is called by the click, for text that only the browser knows. `what` completes
 * "Copy …"; without `label` the button is only an icon.
 */
export function CopyButton({
  text,
  what,
  label = false,
  ...rest
}: { text: string | (() => string); what: string; label?: boolean } & Pick<
  ComponentProps<typeof Button>,
  "kind" | "className"
>) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const words = { idle: `Copy ${what}`, copied: "Copied", failed: "Select the text and copy it" }[state];
  return (
    <>
      <Button
        kind="quiet"
        icon={!label}
        aria-label={words}
        title={words}
        {...rest}
        onClick={async () => setState((await copy(typeof text === "string" ? text : text())) ? "copied" : "failed")}
      >
        {state === "copied" ? (
          <Check size={13} className="text-good" aria-hidden="true" />
        ) : (
          <Copy size={13} aria-hidden="true" />
        )}
        {label && words}
      </Button>
      <span role="status" className="sr-only">
        {state === "idle" ? "" : words}
      </span>
    </>
  );
}

/** Whether the text was copied. The Clipboard API exists only over https and on localhost; otherwise falls back to `execCommand`. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = document.activeElement;
    const area = document.createElement("textarea");
    area.value = text;
    area.style.cssText = "position:fixed;opacity:0";
    // Inside an open dialog, whose focus trap would take the focus from outside elements.
    (focused?.parentElement ?? document.body).append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    return done;
  }
}
