import type { Metadata } from "next";
import { AddCalendar } from "@/components/certificates/calendars/add-calendar";
import { RevokeCalendar } from "@/components/certificates/calendars/revoke-calendar";
import { CertificatePages } from "@/components/certificates/certificate-pages";
import { NewestOnly } from "@/components/layout/newest-only";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { Data, Head, Row, Table, wrapsOnPhones } from "@/components/table/table";
import { Time } from "@/components/time/time";
import { Badge } from "@/components/ui/badge";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { listCalendars } from "@/lib/certificates/calendars/list-calendars";
import { summarizeEndpoints } from "@/lib/certificates/endpoints/summarize-endpoints";

export const metadata: Metadata = { title: "Calendars" };

export default async function CalendarsPage() {
  const principal = await requirePrincipal();
  const [{ items, nextCursor }, { tags, owners }] = await Promise.all([
    listCalendars(principal, { limit: 200, cursor: undefined }),
    summarizeEndpoints(principal),
  ]);
  const reason = readOnlyReason(principal.permission);
  return (
    <>
      <PageHeader title="Certificates" actions={<AddCalendar tags={tags} owners={owners} reason={reason} />} />
      <CertificatePages here="/certificates/calendars" flush />
      {items.length === 0 ? (
        <EmptyState title="No calendars yet">
          Create an address that calendars can subscribe to, and expiry dates or renewals appear next to other
          appointments. You can revoke each address separately.
        </EmptyState>
      ) : (
        <Table
          label="Calendars"
          head={
            <>
              <Head>Calendar</Head>
              <Head className="w-64 max-sm:w-36">Certificates</Head>
              <Head className="w-44 max-md:hidden">Created</Head>
              <Head className="w-28">
                <span className="sr-only">Revoke</span>
              </Head>
            </>
          }
        >
          {items.map(({ id, name, tag, owner, shows, created_at }) => (
            <Row key={id}>
              <Data className={wrapsOnPhones}>{name}</Data>
              <Data className={`text-second ${wrapsOnPhones}`}>
                {shows === "renewals" ? "renewals of " : "expirations of "}
                {tag === null && owner === null && "all in use"}
                {tag !== null && <Badge>{tag}</Badge>}
                {owner !== null && <span title="owner"> {owner}</span>}
              </Data>
              <Data className="text-second max-md:hidden">
                <Time value={created_at} />
              </Data>
              <Data numeric>
                <RevokeCalendar id={id} name={name} reason={reason} />
              </Data>
            </Row>
          ))}
        </Table>
      )}
      <NewestOnly count={items.length} next={nextCursor} />
    </>
  );
}
