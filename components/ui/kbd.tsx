/** A keyboard key. */
export function Kbd({ children }: { children: string }) {
  return <kbd className="rounded-xs border border-strong px-1 font-mono text-second text-xs">{children}</kbd>;
}
