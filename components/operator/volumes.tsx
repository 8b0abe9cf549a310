import { countWords } from "@/components/operator/figure-words";
import { Nothing, Part } from "@/components/operator/part";
import { Data, Head, Row, Table } from "@/components/table/table";
import type { Volume } from "@/lib/operator/read-volumes";

/** The organizations with the most events of the last week. */
export function Volumes({ volumes }: { volumes: readonly Volume[] | null }) {
  if (volumes === null) return <Part title="Organizations by events">{null}</Part>;
  return (
    <Part title="Organizations by events">
      {volumes.length === 0 ? (
        <Nothing>No events in the last 7 days.</Nothing>
      ) : (
        <Table
          label="Organizations by events"
          head={
            <>
              <Head>Organization</Head>
              <Head className="w-80 max-md:hidden">ID</Head>
              <Head className="w-28 max-sm:hidden">Plan</Head>
              <Head className="w-44 max-sm:w-36" numeric>
                Events in 7 days
              </Head>
            </>
          }
        >
          {volumes.map(({ id, name, plan, events }) => (
            <Row key={id}>
              <Data className="font-medium">
                {name === null ? <span className="text-third">deleted</span> : <bdi>{name}</bdi>}
              </Data>
              <Data className="font-mono text-second text-sm max-md:hidden">{id}</Data>
              <Data className="max-sm:hidden">{plan ?? "—"}</Data>
              <Data numeric>{countWords(events)}</Data>
            </Row>
          ))}
        </Table>
      )}
    </Part>
  );
}
