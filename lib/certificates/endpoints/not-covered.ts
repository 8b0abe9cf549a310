import { type Selector, selectsAll } from "@/lib/alert-selectors/selector";
import type { Prisma } from "@/lib/db/generated/app/client";

/** Endpoints that the selector does not select (see `isSelected`), by their tags, their id and the certificate they serve. */
export function notCoveredBy(selector: Selector | null): Prisma.CertificateEndpointWhereInput {
  // Not an empty condition: its negation would match everything too.
  if (selector === null) return { id: { notIn: [] } };
  if (selectsAll(selector)) return { id: { in: [] } };
  const [tags, ids] = [[...selector.tags], [...selector.ids]];
  return {
    NOT: { tags: { hasSome: tags } },
    id: { notIn: ids },
    OR: [{ certificateId: null }, { certificateId: { notIn: ids } }],
  };
}
