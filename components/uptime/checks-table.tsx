import { Data, Head, Row, Table, wrapsOnPhones } from "@/components/table/table";
import { Time } from "@/components/time/time";
import { Badge, Status } from "@/components/ui/badge";
import { msWords, reasonWords } from "@/components/uptime/words";
import type { UptimeCheck } from "@/lib/uptime/checks-contract";
import type { Monitor } from "@/lib/uptime/contract";

const phases = [
  ["dns_ms", "DNS"],
  ["connect_ms", "Connect"],
  ["tls_ms", "TLS"],
  ["ttfb_ms", "First byte"],
] as const;

/** What succeeded, in place of the status that only HTTP has. */
const okWords: Readonly<Record<Monitor["type"], string>> = {
  http: "answered",
  tcp: "connected",
  dns: "as expected",
  ping: "answered",
  heartbeat: "called",
};

/** Individual checks with the duration of each phase. */
export function ChecksTable({
  checks,
  type,
}: {
  checks: readonly UptimeCheck[];
  /** Of the monitor. */
  type: Monitor["type"];
}) {
  return (
    <Table
      label="Checks"
      head={
        <>
          <Head className="w-44 max-sm:w-40">Time</Head>
          <Head>Result</Head>
          {phases.map(([name, words]) => (
            <Head key={name} numeric className="w-24 max-lg:hidden">
              {words}
            </Head>
          ))}
          <Head numeric className="w-24 max-sm:w-20">
            Total
          </Head>
        </>
      }
    >
      {checks.map((check) => (
        <Row key={check.id}>
          <Data className="text-second">
            <Time value={check.checked_at} style="minute" />
          </Data>
          <Data className={wrapsOnPhones}>
            {check.reason === null ? (
              <Status tone="good">{check.status_code ?? okWords[type]}</Status>
            ) : (
              <Status tone="bad" wraps>
                {reasonWords({ reason: check.reason, detail: check.detail })}
              </Status>
            )}
            {check.maintenance && (
              <span className="ml-2">
                <Badge>maintenance</Badge>
              </span>
            )}
          </Data>
          {phases.map(([name]) => (
            <Data key={name} numeric className="text-second max-lg:hidden">
              {msWords(check[name])}
            </Data>
          ))}
          <Data numeric>{msWords(check.total_ms === 0 ? null : check.total_ms)}</Data>
        </Row>
      ))}
    </Table>
  );
}
