import Link from "next/link";
import { LifeBar } from "@/components/certificates/inventory/life-bar";
import { endpointName, shortName } from "@/components/certificates/inventory/names";
import { RenewalMethod } from "@/components/certificates/renewals/renewal-method";
import { HostName } from "@/components/sites/host-name";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Ago, Time } from "@/components/time/time";
import { Badge } from "@/components/ui/badge";
import type { CertificateRenewal } from "@/lib/certificates/renewals/renewal-contract";

/** What must be renewed: one row per certificate and owner. */
export function RenewalsTable({ renewals, now }: { renewals: CertificateRenewal[]; now: number }) {
  return (
    <Table
      label="Renewals"
      head={
        <>
          <Head>Certificate</Head>
          <Head className="w-36 max-sm:w-28">Due</Head>
          <Head className="w-40 max-sm:w-28">Owner</Head>
          <Head className="w-32 max-lg:hidden">Method</Head>
          <Head numeric className="w-40 max-xl:hidden">
            Time left
          </Head>
          <Head className="w-28 max-[90rem]:hidden">Expires</Head>
          <Head className="w-56 max-xl:w-48 max-lg:hidden">Served by</Head>
        </>
      }
    >
      {renewals.map((renewal) => {
        const { certificate, due_at, owner } = renewal;
        return (
          <Row key={`${certificate.id} ${owner}`}>
            <Data>
              <RowLink href={`/certificates/${certificate.id}`} title={certificate.sans.slice(0, 20).join("\n")}>
                {certificate.common_name || certificate.sans[0] || shortName(certificate.subject) || "Unnamed"}
              </RowLink>
              <Notes renewal={renewal} />
            </Data>
            <Data className={Date.parse(due_at) <= now ? "text-warn" : "text-second"}>
              <Ago value={due_at} />
            </Data>
            <Data>
              {owner === null ? <span className="text-third">nobody</span> : <span title={owner}>{owner}</span>}
            </Data>
            <Data className="text-second max-lg:hidden">
              <RenewalMethod of={renewal} />
            </Data>
            <Data numeric className="max-xl:hidden">
              <LifeBar validity={certificate} now={now} />
            </Data>
            <Data className="text-second max-[90rem]:hidden">
              <Time value={certificate.not_after} style="day" />
            </Data>
            <Data className="max-lg:hidden">
              <Served renewal={renewal} />
            </Data>
          </Row>
        );
      })}
    </Table>
  );
}

function Notes({ renewal: { action, is_later_than_usual } }: { renewal: CertificateRenewal }) {
  return (
    <>
      {action === "deploy" && (
        <span className="ml-2 max-sm:hidden" title="A newer certificate is known: install it.">
          <Badge tone="warn">renewed, not deployed</Badge>
        </span>
      )}
      {is_later_than_usual && (
        <span className="ml-2 max-sm:hidden" title="Earlier renewals came sooner.">
          <Badge tone="warn">later than usual</Badge>
        </span>
      )}
    </>
  );
}

function Served({ renewal: { endpoints, endpoint_count } }: { renewal: CertificateRenewal }) {
  const [first] = endpoints;
  if (!first) return null;
  return (
    <>
      <Link
        prefetch={false}
        href={`/certificates/endpoints/${first.id}`}
        className="font-mono text-sm hover:underline"
        title={endpoints.map(endpointName).join("\n")}
      >
        <HostName name={endpointName(first)} />
      </Link>
      {endpoint_count > 1 && <span className="ml-1.5 text-second">+{endpoint_count - 1}</span>}
    </>
  );
}
