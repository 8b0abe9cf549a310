import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { requireFewerThan } from "@/lib/billing/fixed-limit";
import type { Input, Output } from "@/lib/http/endpoint";
import { refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { requireOwn } from "@/lib/organizations/organization";
import type * as contract from "@/lib/status-pages/contract";
import { MAX_PAGES } from "@/lib/status-pages/limits";
import { withSlugs } from "@/lib/status-pages/site-slugs";
import { assertSites, randomSlug, recordedPage, SAME_SLUG, toStatusPage } from "@/lib/status-pages/status-page";

/** Creates a status page. Throws 400, 403, 404, and 409 if the slug is taken or the organization has the most pages. */
export async function createStatusPage(
  principal: Principal,
  { id: organizationId, title, slug, published, sites: input }: Input<typeof contract.createStatusPage>,
): Promise<Output<typeof contract.createStatusPage>> {
  requireAdmin(principal);
  requireOwn(principal, organizationId);
  const sites = withSlugs(input);
  const now = new Date();
  return refuseDuplicate(
    SAME_SLUG,
    auditedTransaction(async (tx, event) => {
      const count = () => tx.statusPage.count({ where: { organizationId } });
      await requireFewerThan(tx, organizationId, MAX_PAGES, "status pages", count);
      await assertSites(tx, organizationId, sites);
      const row = await tx.statusPage.create({
        data: {
          organizationId,
          id: newId(),
          slug: slug ?? randomSlug(),
          title,
          published,
          sites,
          createdAt: now,
          updatedAt: now,
        },
      });
      event.resource("status_page", row.id);
      const made = toStatusPage(row);
      recordChanges(event, title, null, recordedPage(made));
      return made;
    }),
  );
}
