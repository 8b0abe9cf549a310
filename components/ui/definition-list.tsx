import type { ReactNode } from "react";

/** A list of names and values, with an optional heading. */
export function DefinitionGroup({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="border-t py-3 first:border-t-0 first:pt-0">
      {title && <h2 className="mb-1 text-third text-xs">{title}</h2>}
      <dl className="grid grid-cols-[minmax(6.5rem,7.5rem)_minmax(0,1fr)] gap-x-3">{children}</dl>
    </section>
  );
}

/** A name with its value; a dash if the value is missing. */
export function Definition({ name, mono = false, children }: { name: string; mono?: boolean; children: ReactNode }) {
  const isNothing = children === null || children === undefined || children === false || children === "";
  return (
    <>
      <dt className="py-0.5 text-second">{name}</dt>
      <dd className={`break-words py-0.5 ${mono ? "font-mono text-sm leading-5" : ""}`}>
        {isNothing ? <span className="font-sans text-third">—</span> : children}
      </dd>
    </>
  );
}
