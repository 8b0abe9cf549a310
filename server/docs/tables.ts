import { readdirSync, readFileSync } from "node:fs";
import { riskWords } from "@/components/api-keys/risk-words";
import { flagWords } from "@/components/audit-logs/entry/flag-words";
import { endpoints } from "@/lib/api/endpoints";
import { riskLabels } from "@/lib/api-keys/labels";
import { risks } from "@/lib/api-keys/risks";
import { flagLabels } from "@/lib/audit-logs/flag-labels";
import { flags } from "@/lib/audit-logs/flags";
import { caaIssuers } from "@/lib/certificates/caa/issuers";
import { findingLabels } from "@/lib/certificates/finding-labels";
import { clientAuthEnds } from "@/lib/certificates/judge/client-auth-ends";
import { acmeDirectories } from "@/lib/certificates/renewal-info/directories";
import { flagSeverities } from "@/lib/destinations/formats/facts";
import { destinationTypes, shapeOf } from "@/lib/destinations/shapes";
import { groupBy } from "@/lib/group-by";
import { type ErrorCode, errorMeaning, errorStatus } from "@/lib/http/errors";
import { groupLimits } from "@/lib/http/groups";
import { catalog } from "@/lib/metrics/catalog";
import { plans } from "@/lib/plans";
import { failureReasonLabels } from "@/lib/uptime/labels";
import { usage } from "@/server/commands";
import { settingList } from "@/server/docs/settings";
import { jobs } from "@/server/jobs";

const count = (value: number) => value.toLocaleString("en-US");
const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return lines.join("\n");
}

function labelTable(code: string, labels: Readonly<Record<string, string>>): string {
  return table(
    [code, "label"],
    Object.entries(labels).map(([each, label]) => [`\`${each}\``, label]),
  );
}

function duration(ms: number): string {
  if (ms < 60_000) return `${ms / 1000} s`;
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
}

/** The files of decisions, by number. */
export const decisionFiles: readonly string[] = readdirSync("docs/decisions")
  .filter((name) => name !== "README.md")
  .sort();

function decisionRow(file: string): readonly string[] {
  const [, title = ""] = /^# (.+)$/m.exec(readFileSync(`docs/decisions/${file}`, "utf8")) ?? [];
  return [file.slice(0, 4), `[${title}](${file})`];
}

/** The text between `<!-- name:begin -->` and `<!-- name:end -->` of a page, by name. */
const tables: Record<string, () => string> = {
  caa_issuers: () =>
    table(
      ["authority", "domains", "source"],
      caaIssuers.map(({ authority, domains, source }) => [
        authority,
        domains.map((domain) => `\`${domain}\``).join(", "),
        `<${source}>`,
      ]),
    ),
  client_auth_ends: () =>
    table(
      ["authority", "from", "source"],
      clientAuthEnds.map(({ authority, on, source }) => [authority, on, `<${source}>`]),
    ),
  acme_directories: () =>
    table(
      ["authority", "directory", "source"],
      acmeDirectories.map(({ authority, url, source }) => [authority, `<${url}>`, `<${source}>`]),
    ),
  commands: () => `\`\`\`\n${usage().trimEnd()}\n\`\`\``,
  decisions: () => table(["number", "decision"], decisionFiles.map(decisionRow)),
  destination_formats: () =>
    table(
      ["type", "for", "formats, the default first"],
      destinationTypes.map((type) => [
        `\`${type}\``,
        shapeOf(type).label,
        shapeOf(type)
          .formats.map((format) => `\`${format}\``)
          .join(", "),
      ]),
    ),
  endpoints: () =>
    [...groupBy(endpoints, ({ group }) => group)]
      .map(([group, listed]) => {
        const rows = listed.map(({ method, path, summary }) => [method, `\`${path}\``, oneLine(summary)]);
        return `### \`${group}\`\n\n${table(["method", "path", "what it does"], rows)}`;
      })
      .join("\n\n"),
  errors: () =>
    table(
      ["status", "code", "when"],
      Object.entries(errorStatus).map(([code, status]) => [status, `\`${code}\``, errorMeaning[code as ErrorCode]]),
    ),
  failure_reasons: () => labelTable("reason", failureReasonLabels),
  findings: () => labelTable("finding", findingLabels),
  flag_severities: () =>
    table(
      ["severity", "flags"],
      [...groupBy(flags, (flag) => flagSeverities[flag])].map(([severity, raised]) => [
        severity,
        raised.map((flag) => `\`${flag}\``).join(", "),
      ]),
    ),
  flags: () =>
    table(
      ["flag", "label", "meaning"],
      flags.map((flag) => [`\`${flag}\``, flagLabels[flag], oneLine(flagWords[flag])]),
    ),
  jobs: () =>
    table(
      ["job", "every"],
      jobs.map(({ name, everyMs }) => [`\`${name}\``, duration(everyMs)]),
    ),
  limits: () =>
    table(
      ["group", "requests"],
      Object.entries(groupLimits).map(([group, limit]) => [`\`${group}\``, limit]),
    ),
  metrics: () =>
    table(
      ["metric", "type", "labels", "meaning"],
      Object.entries(catalog).map(([name, { type, labels, help }]) => [
        `\`${name}\``,
        type,
        labels.map((label) => `\`${label}\``).join(", "),
        help,
      ]),
    ),
  plans: () =>
    table(
      [
        "plan",
        "endpoints",
        "monitors",
        "domains",
        "members",
        "API keys",
        "destinations",
        "alert rules",
        "channels",
        "e-mail recipients per day",
        "shortest interval",
        "audit retention",
      ],
      Object.entries(plans).map(([name, plan]) => [
        `\`${name}\``,
        ...[
          plan.certificate_endpoints,
          plan.monitors,
          plan.domains,
          plan.members,
          plan.api_keys,
          plan.destinations,
          plan.alert_rules,
          plan.notification_channels,
          plan.emailRecipientsPerDay,
        ].map(count),
        `${plan.shortestIntervalSeconds} s`,
        `${count(plan.auditRetentionDays)} days`,
      ]),
    ),
  risks: () =>
    table(
      ["risk", "label", "when"],
      risks.map((risk) => [`\`${risk}\``, riskLabels[risk], oneLine(riskWords[risk].says)]),
    ),
  settings: () =>
    table(
      ["setting", "default", "meaning"],
      settingList.map(({ name, byDefault, unset, description }) => [
        `\`${name}\``,
        byDefault === undefined ? unset : `\`${byDefault}\``,
        description,
      ]),
    ),
};

export const tableNames: readonly string[] = Object.keys(tables);

/** The page with up-to-date generated tables. Unknown markers stay unchanged. */
export function withTables(page: string): string {
  return page.replaceAll(/(<!-- (\w+):begin -->\n)[\s\S]*?(<!-- \2:end -->)/g, (whole, begin, name: string, end) => {
    const content = tables[name]?.();
    return content === undefined ? whole : `${begin}${content}\n${end}`;
  });
}
