import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Time } from "@/components/time/time";
import { Status } from "@/components/ui/badge";
import type { StatusPage } from "@/lib/status-pages/contract";

export function StatusPagesTable({ pages }: { pages: readonly StatusPage[] }) {
  return (
    <Table
      label="Status pages"
      head={
        <>
          <Head>Title</Head>
          <Head className="w-32">State</Head>
          <Head className="max-md:hidden">Address</Head>
          <Head numeric className="w-20 max-sm:hidden">
            Sites
          </Head>
          <Head className="w-44 max-md:hidden">Changed</Head>
        </>
      }
    >
      {pages.map(({ id, title, published, slug, sites, updated_at }) => (
        <Row key={id}>
          <Data>
            <RowLink href={`/status-pages/${id}`}>
              <bdi>{title}</bdi>
            </RowLink>
          </Data>
          <Data>
            <Status tone={published ? "good" : "neutral"}>{published ? "Published" : "Not published"}</Status>
          </Data>
          <Data className="font-mono text-second max-md:hidden">/status/{slug}</Data>
          <Data numeric className="max-sm:hidden">
            {sites.length}
          </Data>
          <Data className="text-second max-md:hidden">
            <Time value={updated_at} />
          </Data>
        </Row>
      ))}
    </Table>
  );
}
