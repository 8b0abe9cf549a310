import { CopyButton } from "@/components/ui/copy-button";
import type { StatusPage } from "@/lib/status-pages/contract";

/** The badges of a published page, each with the Markdown that shows it elsewhere. */
export function Badges({ page }: { page: StatusPage }) {
  const { slug, address, title, sites } = page;
  const all = [{ path: "", label: title }, ...sites.map((site) => ({ path: `/${site.slug}`, label: site.label }))];
  return (
    <section className="px-4 pt-8 sm:px-5">
      <h2 className="font-medium text-lg">Badges</h2>
      <p className="max-w-prose text-second">
        For a README or another site. <code className="whitespace-nowrap font-mono">?show=uptime</code> shows the uptime
        of 30 days, <code className="whitespace-nowrap font-mono">?show=certificate</code> the days left.
      </p>
      <ul className="mt-2 max-w-5xl border-t">
        {all.map(({ path, label }) => (
          <li key={path} className="flex min-h-9 items-center gap-3 border-b">
            {/* biome-ignore lint/performance/noImgElement: an SVG of our own, at its own size */}
            <img
              src={`/status/${slug}${path}/badge.svg`}
              alt={`Badge of ${label}`}
              height={20}
              className="h-5 min-w-0"
            />
            <CopyButton
              text={`[![${label.replace(/[[\]\\]/g, "\\$&")}](${address}${path}/badge.svg)](${address})`}
              what={`the Markdown of the badge of ${label}`}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
