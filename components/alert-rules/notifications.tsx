import Link from "next/link";
import { SendRuleTest } from "@/components/alert-rules/send-rule-test";
import { conditionSummary, stepWords } from "@/components/alert-rules/words";
import { deliveryTone } from "@/components/notification-channels/words";
import { readOnlyReason } from "@/components/states/read-only";
import { Data, Head, Row, Table, wrapsOnPhones } from "@/components/table/table";
import { Ago, Time } from "@/components/time/time";
import { Badge, Status } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { getAlertCoverage } from "@/lib/alerts/coverage/get-coverage";
import type { AlertCoverage, CoveringRule } from "@/lib/alerts/rules/coverage-contract";
import type { Principal } from "@/lib/http/principal";
import { deliveryStatusLabels } from "@/lib/notification-channels/labels";
import { plural } from "@/lib/text/counts";

type Resource = Pick<AlertCoverage["resource"], "type" | "id">;

const nouns: Record<Resource["type"], string> = {
  endpoint: "endpoint",
  monitor: "monitor",
  api_key: "key",
  domain: "domain",
};

/** Who is notified of problems of a resource, and when. */
export async function Notifications({ principal, type, id }: { principal: Principal } & Resource) {
  const coverage = await getAlertCoverage(principal, { resource_type: type, resource_id: id });
  const { rules, rule_count, notified, last_message, next_at } = coverage;
  return (
    <section className="pt-7">
      <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">Notifications</h2>
      {!notified && (
        <div className="px-4 pb-3 sm:px-5">
          <Note tone="warn">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
              {rule_count === 0
                ? `Nobody is notified: no alert rule covers this ${nouns[type]}.`
                : "Nobody is notified: no channel is enabled."}
              <LinkButton prefetch={false} href={rule_count === 0 ? "/alert-rules" : "/notification-channels"}>
                {rule_count === 0 ? "View rules" : "View channels"}
              </LinkButton>
            </span>
          </Note>
        </div>
      )}
      {rules.length > 0 && (
        <Table
          label="Notifications"
          head={
            <>
              <Head className="w-72 max-lg:w-56 max-sm:w-28">Rule</Head>
              <Head>When</Head>
              <Head className="w-64 max-lg:w-44 max-sm:w-28">Notifies</Head>
              <Head className="w-44 max-sm:hidden">
                <span className="sr-only">Test</span>
              </Head>
            </>
          }
        >
          {rules.map((rule) => (
            <RuleRows
              key={rule.id}
              rule={rule}
              resource={coverage.resource}
              reason={readOnlyReason(principal.permission)}
            />
          ))}
        </Table>
      )}
      {rule_count > rules.length && (
        <p className="px-4 pt-2 text-second sm:px-5">and {plural(rule_count - rules.length, "more rule")}</p>
      )}
      <p className="flex flex-wrap gap-x-6 gap-y-1 px-4 pt-2 text-second sm:px-5">
        {next_at !== null && (
          <span>
            Next step <Ago value={next_at} />, on <Time value={next_at} style="day" />
          </span>
        )}
        <LastMessage message={last_message} />
      </p>
    </section>
  );
}

/** One row per step; the first one names the rule. */
function RuleRows({ rule, resource, reason }: { rule: CoveringRule; resource: Resource; reason: string | null }) {
  const isAboutTime = rule.condition.type === "time_left";
  const now = new Date().toISOString();
  return rule.steps.map((step) => (
    <Row key={step.step}>
      <Data className={wrapsOnPhones}>
        {step.step === 1 && (
          <Link prefetch={false} href={`/alert-rules/${rule.id}`} className="font-medium hover:underline">
            {rule.name}
          </Link>
        )}
      </Data>
      <Data className={`text-second ${wrapsOnPhones}`}>
        {step.reached_at !== null && (
          <>
            {step.reached_at <= now && "reached "}
            <Time value={step.reached_at} style="day" />
            {" · "}
          </>
        )}
        {!isAboutTime && step.step === 1 && `${conditionSummary(rule.condition)}: `}
        {stepWords(step)}
      </Data>
      <Data className={`text-second ${wrapsOnPhones}`}>
        <Channels channels={step.channels} />
      </Data>
      <Data numeric className="max-sm:hidden">
        {step.step === 1 && <SendRuleTest rule={rule} resource={resource} reason={reason} isQuiet />}
      </Data>
    </Row>
  ));
}

function Channels({ channels }: Pick<CoveringRule["steps"][number], "channels">) {
  if (channels.length === 0) return <span className="text-warn">Nobody</span>;
  return (
    <>
      {channels.map(({ id, name, state }) => (
        <Link key={id} prefetch={false} href={`/notification-channels/${id}`} className="mr-2 hover:underline">
          {/* Before the name, whose end is cut off where it does not fit. */}
          {state === "failing" && (
            <span className="mr-1.5">
              <Badge tone="bad">failing</Badge>
            </span>
          )}
          {name}
        </Link>
      ))}
    </>
  );
}

function LastMessage({ message }: { message: AlertCoverage["last_message"] }) {
  if (message === null) return <span>No message in the last 30 days</span>;
  const { channel, created_at, status, title, error } = message;
  return (
    <span className="min-w-0">
      Last message <Ago value={created_at} /> to {channel.name}: {title}
      <span className="ml-2">
        <Status tone={deliveryTone[status]}>{deliveryStatusLabels[status]}</Status>
      </span>
      {status !== "sent" && error !== null && <span className="text-bad"> {error}</span>}
    </span>
  );
}
