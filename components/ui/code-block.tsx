import { CopyButton } from "@/components/ui/copy-button";
import { cx } from "@/components/ui/cx";

/**
 * Code or other preformatted text, with a copy button. `what` completes "Copy …"; `shown` replaces `text` on screen if they
 * differ.
 */
export function CodeBlock({
  text,
  shown = text,
  what,
  wrap = false,
}: {
  text: string;
  shown?: string;
  what: string;
  wrap?: boolean;
}) {
  return (
    <div className="group relative rounded-md border bg-sunken">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        className={cx(
          "max-h-96 overflow-auto rounded-md py-2 pr-10 pl-3 font-mono text-sm",
          wrap && "whitespace-pre-wrap break-all",
        )}
      >
        {shown}
      </pre>
      <CopyButton text={text} what={what} className="absolute top-1 right-1 bg-sunken" />
    </div>
  );
}
