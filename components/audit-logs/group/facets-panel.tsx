import type { KnownValues } from "@/components/audit-logs/filters/filter-fields";
import { FacetValue } from "@/components/audit-logs/group/facet-value";
import { dimensionLabels } from "@/components/audit-logs/group/group-words";
import { NoneCounted } from "@/components/audit-logs/group/none-counted";
import { Time } from "@/components/time/time";
import type { Filters } from "@/lib/audit-logs/filters";
import { getAuditFacets } from "@/lib/audit-logs/group/facets";
import type { AuditFacet } from "@/lib/audit-logs/group/facets-contract";
import type { Principal } from "@/lib/http/principal";
import { formatCount } from "@/lib/text/counts";

/** Values of a facet that are shown at first. */
const SHOWN = 5;

interface Shown {
  params: Record<string, string>;
  known: KnownValues;
}

/** The most frequent values of the range and filters; each narrows the list or is excluded from it. */
export async function FacetsPanel({
  principal,
  filters,
  ...shown
}: Shown & { principal: Principal; filters: Filters }) {
  const { facets, events, has_earlier, since } = await getAuditFacets(principal, filters);
  const found = facets.filter(({ values }) => values.length > 0);
  const isPartial = (facet: AuditFacet) => has_earlier && facet.since === since;
  return (
    <>
      {events === 0 && has_earlier && <NoneCounted since={since} />}
      {found.length === 0 && !(events === 0 && has_earlier) && (
        <p className="px-4 py-2 text-second">
          {events === 0
            ? "No entry in this range matches the filters."
            : "The matching entries have none of these values."}
        </p>
      )}
      {found.some(isPartial) && (
        <p className="px-4 pb-2 text-second text-sm">
          {found.every(isPartial) ? "Counts are" : "Counts marked * are"} of the newest {formatCount(events)} entries,
          those since <Time value={since} />.
        </p>
      )}
      {found.map((facet) => (
        <Facet key={facet.dimension} facet={facet} isMarked={isPartial(facet) && !found.every(isPartial)} {...shown} />
      ))}
    </>
  );
}

function Facet({ facet, isMarked, ...shown }: Shown & { facet: AuditFacet; isMarked: boolean }) {
  const { dimension, values } = facet;
  const most = Math.max(...values.map(({ events }) => events));
  const list = (from: number, to?: number) => (
    <ul>
      {values.slice(from, to).map((value) => (
        <FacetValue key={value.value} dimension={dimension} value={value} most={most} {...shown} />
      ))}
    </ul>
  );
  return (
    <section aria-label={dimensionLabels[dimension]} className="px-4 pb-3">
      <h3 className="pb-0.5 text-second text-sm">
        {dimensionLabels[dimension]}
        {isMarked && " *"}
      </h3>
      {list(0, SHOWN)}
      {values.length > SHOWN && (
        <details>
          <summary className="w-max cursor-pointer rounded-xs text-second text-sm hover:text-ink">
            {values.length - SHOWN} more
          </summary>
          {list(SHOWN)}
        </details>
      )}
    </section>
  );
}
