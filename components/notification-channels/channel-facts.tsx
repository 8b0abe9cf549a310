import { isUnused, settingFields } from "@/components/notification-channels/channel-fields";
import { stateTone } from "@/components/notification-channels/words";
import { Ago } from "@/components/time/time";
import { Status } from "@/components/ui/badge";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import type { NotificationChannel } from "@/lib/notification-channels/contract";
import { channelStateLabels } from "@/lib/notification-channels/labels";

/** The settings and state of a channel, without its secrets. */
export function ChannelFacts({ channel }: { channel: NotificationChannel }) {
  const { type, settings, secrets, state, last_sent_at, last_failed_at, last_error } = channel;
  return (
    <div className="grid gap-x-10 lg:grid-cols-2">
      <DefinitionGroup>
        <Definition name="State">
          <Status tone={stateTone[state]}>{channelStateLabels[state]}</Status>
        </Definition>
        <Definition name="Last sent">{last_sent_at && <Ago value={last_sent_at} />}</Definition>
        <Definition name="Last failure">
          {last_failed_at && (
            <>
              <Ago value={last_failed_at} />
              <span className="text-second"> · {last_error}</span>
            </>
          )}
        </Definition>
      </DefinitionGroup>
      <div className="max-lg:mt-3">
        <DefinitionGroup>
          {settingFields[type].map(({ name, label, secret }) => {
            const value = isUnused(type, name, {}, { secrets }) ? null : settings[name];
            const shown = Array.isArray(value) ? value.join(", ") : typeof value === "string" ? value : null;
            return (
              <Definition key={name} name={label} mono={!secret}>
                {secret ? secrets.includes(name) && <span className="text-second">set, never shown</span> : shown}
              </Definition>
            );
          })}
          {type === "webhook" && (
            <Definition name="Signature">
              <span className="text-second">Standard Webhooks, with a secret that is never shown</span>
            </Definition>
          )}
        </DefinitionGroup>
      </div>
    </div>
  );
}
