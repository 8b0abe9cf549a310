import { Minus } from "lucide-react";
import Link from "next/link";
import type { KnownValues } from "@/components/audit-logs/filters/filter-fields";
import { parseFilter, withoutValue, withValue } from "@/components/audit-logs/filters/filter-values";
import { filtersOfGroup } from "@/components/audit-logs/group/filters-of-group";
import { inWords, valueLabel } from "@/components/audit-logs/group/group-words";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { hrefWith } from "@/components/layout/href-with";
import { countryName } from "@/components/statistics/countries";
import { cx } from "@/components/ui/cx";
import { filterOf } from "@/lib/audit-logs/group/dimensions";
import type { AuditFacet } from "@/lib/audit-logs/group/facets-contract";
import { formatCount } from "@/lib/text/counts";

/** A value with its count: a link to only its entries (or back to all) where a filter finds them, and one that excludes it. */
export function FacetValue({
  dimension,
  value: { value, name, country, network, events },
  most,
  params,
  known,
}: {
  dimension: AuditFacet["dimension"];
  value: AuditFacet["values"][number];
  /** The count of the most frequent value. */
  most: number;
  params: Record<string, string>;
  known: KnownValues;
}) {
  const filter = filterOf(dimension);
  const label = valueLabel(dimension, value, name, known);
  const isChosen = parseFilter(params[filter]).include.includes(value);
  const hrefOf = (filters: Record<string, string | null>) => hrefWith(EXPLORER, params, { ...filters, entry: null });
  const only = isChosen
    ? { [filter]: withoutValue(params[filter], value) }
    : filtersOfGroup([dimension], [value], params);
  const ofNetwork = network ? filtersOfGroup(["network"], [network], params) : null;
  const style = cx("relative min-w-0 flex-1 truncate rounded-xs", !inWords.has(dimension) && "font-mono text-sm");
  return (
    <li className="group/value relative flex h-6 items-center gap-1.5 pointer-coarse:h-10">
      <span
        aria-hidden="true"
        className="absolute inset-y-0.5 -left-1 rounded-xs bg-seal-wash"
        style={{ width: `calc(${(events / most) * 100}% + 0.5rem)` }}
      />
      {only === null ? (
        <span title={value} className={style}>
          {label}
        </span>
      ) : (
        <Link
          prefetch={false}
          href={hrefOf(only)}
          aria-label={isChosen ? `Remove ${label} from the filter` : `Only ${label}`}
          aria-current={isChosen ? "true" : undefined}
          title={value}
          className={cx(style, "hover:underline aria-current:font-medium aria-current:text-seal")}
        >
          {label}
        </Link>
      )}
      {network && ofNetwork && (
        <Link
          prefetch={false}
          href={hrefOf(ofNetwork)}
          aria-label={`Only the network ${network}`}
          title={network}
          className="relative rounded-xs font-mono text-sm text-third hover:text-ink hover:underline"
        >
          {network.slice(network.indexOf("/"))}
        </Link>
      )}
      {country && (
        <span title={countryName(country)} className="relative font-mono text-second text-sm">
          {country}
        </span>
      )}
      <Link
        prefetch={false}
        href={hrefOf({ [filter]: withValue(params[filter], value, true) })}
        aria-label={`Exclude ${label}`}
        title="Exclude"
        className="relative grid size-5 shrink-0 place-items-center rounded-xs text-third opacity-0 hover:bg-panel hover:text-ink focus-visible:opacity-100 group-hover/value:opacity-100 pointer-coarse:size-9 pointer-coarse:opacity-100"
      >
        <Minus size={12} aria-hidden="true" />
      </Link>
      <span className="relative shrink-0 text-second tabular-nums">{formatCount(events)}</span>
    </li>
  );
}
