import Link from "next/link";
import { appliesTo, conditionSummary, notifies } from "@/components/alert-rules/words";
import type { KnownValues } from "@/components/audit-logs/filters/filter-fields";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Badge } from "@/components/ui/badge";
import type { AlertRule } from "@/lib/alerts/rules/contract";
import { formatCount } from "@/lib/text/counts";

/** Alert rules, one per row, in the given order. */
export function RulesTable({
  rules,
  channels,
  known,
}: {
  rules: readonly AlertRule[];
  channels: ReadonlyMap<string, string>;
  /** The names of keys and members. */
  known: KnownValues;
}) {
  return (
    <Table
      label="Alert rules"
      head={
        <>
          <Head className="w-72 max-sm:w-auto">Rule</Head>
          <Head className="max-md:hidden">Condition</Head>
          <Head className="w-56 max-xl:hidden">Applies to</Head>
          <Head className="w-56 max-lg:hidden">Notifies</Head>
          <Head numeric className="w-28 max-sm:w-24">
            Unresolved
          </Head>
        </>
      }
    >
      {rules.map((rule) => (
        <Row key={rule.id}>
          <Data>
            <RowLink href={`/alert-rules/${rule.id}`} className="font-medium">
              {rule.name}
            </RowLink>
            {!rule.enabled && (
              <span className="ml-2">
                <Badge>disabled</Badge>
              </span>
            )}
          </Data>
          <Data className="text-second max-md:hidden">{conditionSummary(rule.condition)}</Data>
          <Data className="text-second max-xl:hidden">{appliesTo(rule, known)}</Data>
          <Data className="text-second max-lg:hidden">{notifies(rule.steps, channels)}</Data>
          <Data numeric>
            {rule.open_alerts > 0 ? (
              <Link prefetch={false} href={`/alerts?rule_id=${rule.id}`} className="text-bad hover:underline">
                {formatCount(rule.open_alerts)}
              </Link>
            ) : (
              <span className="text-third">0</span>
            )}
          </Data>
        </Row>
      ))}
    </Table>
  );
}
