import { Nothing, Part } from "@/components/operator/part";
import { Data, Head, Row, Table, wrapsOnPhones } from "@/components/table/table";
import { Ago } from "@/components/time/time";
import type { RunningProcess } from "@/lib/operator/read-processes";

/** The processes of the last hour. */
export function Processes({ processes }: { processes: readonly RunningProcess[] | null }) {
  if (processes === null) return <Part title="Processes">{null}</Part>;
  return (
    <Part title="Processes">
      {processes.length === 0 ? (
        <Nothing>No process has reported in the last hour.</Nothing>
      ) : (
        <Table
          label="Processes"
          head={
            <>
              <Head className="w-24">Process</Head>
              <Head>Machine</Head>
              <Head className="w-28">Version</Head>
              <Head className="w-28 max-md:hidden">Node.js</Head>
              <Head className="w-36 max-sm:hidden">Started</Head>
              <Head className="w-36 max-sm:w-24">Last seen</Head>
            </>
          }
        >
          {processes.map(({ id, kind, host, pid, version, node, startedAt, seenAt }) => (
            <Row key={id}>
              <Data className="font-medium">{kind}</Data>
              <Data>
                <span title={`${host}, process ${pid}`}>
                  {host} <span className="text-third">{pid}</span>
                </span>
              </Data>
              <Data>{version}</Data>
              <Data className="max-md:hidden">{node}</Data>
              <Data className="max-sm:hidden">
                <Ago value={startedAt.toISOString()} />
              </Data>
              <Data className={wrapsOnPhones}>
                <Ago value={seenAt.toISOString()} />
              </Data>
            </Row>
          ))}
        </Table>
      )}
    </Part>
  );
}
