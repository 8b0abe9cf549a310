import { seenAddresses } from "@/components/sites/addresses";
import { EmptySection } from "@/components/states/empty-section";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Ago } from "@/components/time/time";
import type { Site } from "@/lib/sites/find-site";

/** The addresses of the host, as checks and DNS lookups last saw them. */
export function SiteAddresses({ site }: { site: Site }) {
  const seen = seenAddresses(site);
  return (
    <section className="pt-8">
      <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">Addresses</h2>
      {seen.length === 0 ? (
        <EmptySection>No check or DNS lookup has seen an address yet.</EmptySection>
      ) : (
        <Table
          label="Addresses"
          head={
            <>
              <Head>Address</Head>
              <Head className="w-72 max-sm:w-40">Seen by</Head>
              <Head className="w-36 max-sm:hidden">Last seen</Head>
            </>
          }
        >
          {seen.map(({ address, by, at }) => (
            <Row key={address}>
              <Data className="font-mono">{address}</Data>
              <Data className="text-second">{by.join(", ")}</Data>
              <Data className="text-second max-sm:hidden">
                <Ago value={at} />
              </Data>
            </Row>
          ))}
        </Table>
      )}
    </section>
  );
}
