import Link from "next/link";
import { kindWords } from "@/components/destinations/kinds";
import { DESTINATIONS } from "@/components/destinations/words";
import { hrefWith } from "@/components/layout/href-with";
import { destinationTypes, shapeOf } from "@/lib/destinations/shapes";

/** The kinds of destinations with what each needs, as links to their forms. `about`: the filters that a new one begins with. */
export function KindGallery({ about = null }: { about?: string | null }) {
  return (
    <ul aria-label="Kinds of destinations" className="grid overflow-hidden border-t sm:grid-cols-2 xl:grid-cols-3">
      {destinationTypes.map((type) => (
        <li
          key={type}
          className="relative -ml-px border-b border-l px-4 py-3 hover:bg-sunken has-focus-visible:bg-sunken sm:px-5"
        >
          <h2 className="font-medium">
            <Link
              prefetch={false}
              href={hrefWith(`${DESTINATIONS}/new`, { type }, { about })}
              className="rounded-xs after:absolute after:inset-0"
            >
              {shapeOf(type).label}
            </Link>
          </h2>
          <p className="text-pretty text-second">{kindWords[type].summary}</p>
          <p className="mt-1 text-pretty text-second text-sm">
            <span className="text-third">Needs:</span> {kindWords[type].needs}
          </p>
        </li>
      ))}
    </ul>
  );
}
