import { Data, Head, Row, Table } from "@/components/table/table";
import { Time } from "@/components/time/time";
import { Badge } from "@/components/ui/badge";
import type { CaaOfName } from "@/lib/certificates/caa-contract";

const permission = { true: "Permitted", false: "Not permitted", null: "Not known" } as const;
const tones = { true: "good", false: "bad", null: "neutral" } as const;

/** Who may issue for the names of a certificate, as DNS says. */
export function CaaFacts({ caa }: { caa: readonly CaaOfName[] }) {
  if (caa.length === 0) return null;
  return (
    <section className="pt-8">
      <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">Who may issue (CAA)</h2>
      <Table
        label="Who may issue"
        head={
          <>
            <Head>Name</Head>
            <Head className="w-36">Issuer</Head>
            <Head className="max-sm:hidden">Records</Head>
            <Head className="w-44 max-lg:hidden">Read</Head>
          </>
        }
      >
        {caa.map((each) => (
          <CaaRow key={each.name} caa={each} />
        ))}
      </Table>
    </section>
  );
}

function CaaRow({ caa: { name, permits_issuer, at, records, accounts, answered_at, error } }: { caa: CaaOfName }) {
  const key = `${permits_issuer}` as const;
  return (
    <Row>
      <Data className="font-mono text-sm">{name}</Data>
      <Data>
        <Badge tone={tones[key]}>{permission[key]}</Badge>
      </Data>
      <Data className="font-mono text-sm max-sm:hidden">
        {error !== null && <p className="font-sans text-warn">Not read: {error}</p>}
        {records.length > 0 ? (
          <ul>
            {records.map(({ tag, value }) => (
              <li key={`${tag} ${value}`} className="truncate" title={`${tag} ${value}`}>
                {tag} {value}
              </li>
            ))}
            {at !== name && <li className="font-sans text-second">of {at}</li>}
          </ul>
        ) : (
          answered_at !== null && <span className="font-sans text-second">None: any authority may issue</span>
        )}
        {accounts
          .filter(({ source }) => source === "validation_persist")
          .map(({ at: record, uri }) => (
            <p key={`${record} ${uri}`} className="truncate" title={`${record} ${uri}`}>
              persistent validation {uri}
            </p>
          ))}
      </Data>
      <Data className="text-second max-lg:hidden">{answered_at ? <Time value={answered_at} /> : "—"}</Data>
    </Row>
  );
}
