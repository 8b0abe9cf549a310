import type { NotificationGaps } from "@/lib/alerts/coverage/notification-gaps";
import { plural } from "@/lib/text/counts";

/** A warning that nobody would be notified, and where to change that. */
interface GapWarning {
  words: string;
  fix: { href: string; label: string };
}

/** Warnings about what nobody would be notified of; none if everything is covered. */
export function gapWarnings({ channels, openAlerts, ...uncovered }: NotificationGaps): GapWarning[] {
  if (channels !== "enabled") {
    const reason = `no channel is ${channels === "none" ? "set up" : "enabled"}`;
    const words =
      openAlerts > 0
        ? `${plural(openAlerts, "open alert")}: ${reason}, nobody is notified.`
        : `${reason.charAt(0).toUpperCase()}${reason.slice(1)}: nobody will be notified.`;
    const label = channels === "none" ? "Set up a channel" : "View channels";
    return [{ words, fix: { href: "/notification-channels", label } }];
  }
  const warning = (count: number, noun: string, fix: GapWarning["fix"]): GapWarning[] =>
    count === 0
      ? []
      : [{ words: `${plural(count, noun)} ${count === 1 ? "is" : "are"} covered by no alert rule.`, fix }];
  const rules = { href: "/alert-rules", label: "View rules" };
  return [
    ...warning(uncovered.endpoints, "endpoint", { href: "/certificates?covered=false", label: "View endpoints" }),
    ...warning(uncovered.monitors, "monitor", rules),
    ...warning(uncovered.apiKeys, "API key", rules),
    ...warning(uncovered.domains, "domain", rules),
  ];
}
