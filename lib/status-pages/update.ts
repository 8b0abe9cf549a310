import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { lockRows } from "@/lib/db/lock-rows";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound, refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { requireOwn } from "@/lib/organizations/organization";
import type * as contract from "@/lib/status-pages/contract";
import { withSlugs } from "@/lib/status-pages/site-slugs";
import { assertSites, recordedPage, SAME_SLUG, sitesOf, toStatusPage } from "@/lib/status-pages/status-page";

/** Changes the given fields of a status page. Throws 400, 403, 404, and 409 if the slug is taken. */
export async function updateStatusPage(
  principal: Principal,
  { id: organizationId, page_id: id, sites: input, ...fields }: Input<typeof contract.updateStatusPage>,
): Promise<Output<typeof contract.updateStatusPage>> {
  requireAdmin(principal);
  requireOwn(principal, organizationId);
  const where = { organizationId_id: { organizationId, id } };
  return refuseDuplicate(
    SAME_SLUG,
    auditedTransaction(async (tx, event) => {
      event.resource("status_page", id);
      // Concurrent changes wait, so that none undoes another's fields.
      await lockRows(tx, "status_pages", organizationId, [id]);
      const before = await tx.statusPage.findUnique({ where });
      if (before === null) throw notFound();
      const sites = input && withSlugs(input);
      // What it shows may have been deleted since, and the page as it is read can be sent again.
      if (sites) await assertSites(tx, organizationId, sites, sitesOf(before));
      const row = await tx.statusPage.update({
        where,
        data: {
          title: fields.title ?? before.title,
          slug: fields.slug ?? before.slug,
          published: fields.published ?? before.published,
          ...(sites && { sites }),
          updatedAt: new Date(),
        },
      });
      const after = toStatusPage(row);
      recordChanges(event, before.title, recordedPage(toStatusPage(before)), recordedPage(after));
      return after;
    }),
  );
}
