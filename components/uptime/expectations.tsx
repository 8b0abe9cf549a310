import { Definition } from "@/components/ui/definition-list";
import { escapesOf } from "@/components/uptime/form/escapes";
import { jsonLine } from "@/components/uptime/form/expectation-lines";
import { answerMatchWords } from "@/components/uptime/words";
import { plural } from "@/lib/text/counts";
import type { Monitor } from "@/lib/uptime/contract";
import type { DnsSettings } from "@/lib/uptime/dns";

/** What a monitor expects besides its status. */
export function Expectations({ monitor }: { monitor: Monitor }) {
  const { expected_text, forbidden_text, expected_pattern, expected_json, expected_headers } = monitor;
  const { request_body, max_response_time_ms, min_certificate_days } = monitor;
  const { dns, tcp, ping } = monitor;
  const lines: [name: string, words: string | null, isCode: boolean][] = [
    ["Record type", dns?.record_type ?? null, false],
    ["Name server", dns?.resolver ?? null, true],
    ["Expected", dns && dnsWords(dns), false],
    ["Answers", dns?.expected.join("\n") || null, true],
    ["TLS", tcp?.tls ? (tcp.server_name ?? "Yes") : null, false],
    ["Sent", tcp && (escapesOf(tcp) || null), true],
    ["Expected text", tcp?.expected_text ?? null, false],
    ["Expected pattern", tcp?.expected_pattern ?? null, true],
    ["Packets", ping && `${ping.count}, at most ${ping.max_loss_percent}% lost`, false],
    ["Body sent", request_body, true],
    ["Expected text", expected_text, false],
    ["Forbidden text", forbidden_text, false],
    ["Expected pattern", expected_pattern, true],
    ["Expected JSON", expected_json.map(jsonLine).join("\n") || null, true],
    ["Expected headers", Object.entries(expected_headers).map(headerLine).join("\n") || null, true],
    ["Slowest response", max_response_time_ms === null ? null : `${max_response_time_ms} ms`, false],
    [
      "Certificate",
      min_certificate_days === null ? null : `at least ${plural(min_certificate_days, "day")} left`,
      false,
    ],
  ];
  return lines.map(
    ([name, words, isCode]) =>
      words !== null && (
        <Definition key={`${name} ${words}`} name={name} mono={isCode}>
          <span className="line-clamp-6 whitespace-pre-wrap break-words">{words}</span>
        </Definition>
      ),
  );
}

function headerLine([name, text]: [string, string]): string {
  return text === "" ? name : `${name}: ${text}`;
}

function dnsWords({ expect_nxdomain, expected, match }: DnsSettings): string {
  if (expect_nxdomain) return "The name does not exist";
  return expected.length === 0 ? "Any answer" : answerMatchWords[match];
}
