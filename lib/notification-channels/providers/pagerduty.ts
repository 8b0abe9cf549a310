import { adviceOf, cut, itemLines } from "@/lib/notification-channels/providers/message";
import { post } from "@/lib/notification-channels/providers/post";
import type { Send } from "@/lib/notification-channels/providers/provider";
import type { SettingsOf } from "@/lib/notification-channels/providers/settings";

/** A test resolves its own incident. */
export const sendPagerduty: Send<SettingsOf["pagerduty"]> = async (settings, message, circumstances) => {
  const sent = await enqueueEvent(settings, message, circumstances);
  if (!sent.ok || message.kind !== "test") return sent;
  return enqueueEvent(settings, { ...message, state: "resolved" }, circumstances);
};

/** Sends to PagerDuty's Events API v2. The key is the `dedup_key`: duplicates merge, and the end resolves the incident. */
const enqueueEvent: Send<SettingsOf["pagerduty"]> = ({ routing_key, api_url }, message, circumstances) => {
  const isResolved = message.state === "resolved";
  const event = {
    routing_key,
    event_action: isResolved ? "resolve" : "trigger",
    dedup_key: cut(message.key, 255),
    ...(!isResolved && {
      payload: {
        summary: cut(message.title, 1024),
        source: cut(message.items[0]?.subject ?? "Sealwatch", 255),
        severity: message.severity,
        timestamp: message.at,
        class: cut(message.items[0]?.about?.causes[0] ?? message.kind, 255),
        custom_details: {
          text: message.text,
          about: itemLines(message).map((line) => cut(line, 500)),
          what_to_do: adviceOf(message),
          ...(message.organization && { organization: message.organization.name }),
        },
      },
      client: "Sealwatch",
      client_url: message.url,
      links: [{ href: message.url, text: "Open in Sealwatch" }],
    }),
  };
  return post(`${api_url}/v2/enqueue`, JSON.stringify(event), circumstances);
};
