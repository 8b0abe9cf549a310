import type { Metadata } from "next";
import { CertificatePages } from "@/components/certificates/certificate-pages";
import { shortName } from "@/components/certificates/inventory/names";
import { AddTrustStore } from "@/components/certificates/trust-stores/add-trust-store";
import { TrustStoreActions } from "@/components/certificates/trust-stores/trust-store-actions";
import { NewestOnly } from "@/components/layout/newest-only";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { ActionsHead, Data, Head, Row, Table } from "@/components/table/table";
import { Time } from "@/components/time/time";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { getPublicRoots } from "@/lib/certificates/trust-stores/get-public-roots";
import { listTrustStores } from "@/lib/certificates/trust-stores/list-trust-stores";
import { formatCount, plural } from "@/lib/text/counts";

export const metadata: Metadata = { title: "Trust stores" };

export default async function TrustStoresPage() {
  const principal = await requirePrincipal();
  const { items, nextCursor } = await listTrustStores(principal, { limit: 200, cursor: undefined });
  const roots = await getPublicRoots(principal, {});
  const reason = readOnlyReason(principal.permission);
  return (
    <>
      <PageHeader title="Certificates" actions={<AddTrustStore reason={reason} />} />
      <CertificatePages here="/certificates/trust-stores" flush />
      {items.length === 0 ? (
        <EmptyState title="No trust stores yet">
          Endpoints and https monitors are checked against the roots that browsers trust. Add the roots of your own
          certificate authority, and choose them for the endpoints and monitors that use it.
        </EmptyState>
      ) : (
        <Table
          label="Trust stores"
          head={
            <>
              <Head className="w-64 max-sm:w-auto">Trust store</Head>
              <Head className="max-md:hidden">Certificates</Head>
              <Head className="w-32 max-lg:hidden">First to expire</Head>
              <Head numeric className="w-24 max-sm:hidden">
                Endpoints
              </Head>
              <Head numeric className="w-24 max-sm:hidden">
                Monitors
              </Head>
              <ActionsHead />
            </>
          }
        >
          {items.map(({ id, name, is_default, certificates, endpoint_count, monitor_count }) => {
            const names = certificates.map(({ subject }) => shortName(subject));
            const [first] = certificates.map(({ not_after }) => not_after).sort();
            return (
              <Row key={id}>
                <Data>
                  {name}
                  {is_default && <span className="ml-2 text-second">default</span>}
                </Data>
                <Data className="text-second max-md:hidden">
                  <span title={names.join("\n")}>{names.join(", ")}</span>
                </Data>
                <Data className="text-second max-lg:hidden">{first && <Time value={first} style="day" />}</Data>
                <Data numeric className="max-sm:hidden">
                  {formatCount(endpoint_count)}
                </Data>
                <Data numeric className="max-sm:hidden">
                  {formatCount(monitor_count)}
                </Data>
                <Data className="text-right">
                  <TrustStoreActions store={{ id, name, endpoint_count, monitor_count }} reason={reason} />
                </Data>
              </Row>
            );
          })}
        </Table>
      )}
      <NewestOnly count={items.length} next={nextCursor} />
      <p className="px-4 pt-3 text-second sm:px-5">
        {plural(roots.count, "public root")}, from{" "}
        {roots.nodejs_version === null ? "the operator’s file" : `Mozilla’s list in Node.js ${roots.nodejs_version}`}.
      </p>
    </>
  );
}
