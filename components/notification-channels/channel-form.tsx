"use client";

import { type FormEvent, useState } from "react";
import { wrongOf } from "@/components/alert-rules/issues";
import {
  isUnused,
  type SettingField,
  settingFields,
  settingsChanged,
  settingsSent,
  textsOf,
} from "@/components/notification-channels/channel-fields";
import { useCreateChannel, useUpdateChannel } from "@/components/notification-channels/queries";
import { changesOf } from "@/components/requests/changes-of";
import { failureOf, isRequestFailed } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { Check, Field, focusEmpty, Input, Select } from "@/components/ui/field";
import type { NotificationChannel, NotificationChannelWithSecret } from "@/lib/notification-channels/contract";
import { channelTypeLabels } from "@/lib/notification-channels/labels";
import { type ChannelType, channelTypes } from "@/lib/notification-channels/providers/types";

type Props = { canMail: boolean; onCancel: () => void } & (
  | { channel: NotificationChannel; onSaved: (channel: NotificationChannel) => void }
  | { channel?: undefined; onSaved: (channel: NotificationChannelWithSecret) => void }
);

/** The settings of a new channel, or of `channel` to change it. */
export function ChannelForm({ channel, canMail, onSaved, onCancel }: Props) {
  const create = useCreateChannel();
  const update = useUpdateChannel();
  const { isPending, error } = channel ? update : create;
  const [type, setType] = useState<ChannelType>(channel?.type ?? "email");
  const [name, setName] = useState(channel?.name ?? "");
  const [texts, setTexts] = useState(() => (channel ? textsOf(channel) : {}));
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const known = { secrets: channel?.secrets ?? null, removed };
  const settings = settingsSent(type, texts, known);
  const [loaded] = useState({ name, settings });
  const wrong = wrongOf(error);
  const isPlaced = isRequestFailed(error) && error.code === "INVALID_REQUEST";

  function submit(event: FormEvent) {
    event.preventDefault();
    if (channel) {
      const sent = { name, settings: settingsChanged(type, loaded.settings, settings) };
      update.mutate(
        { id: channel.id, ...changesOf({ name: loaded.name, settings: {} }, sent) },
        { onSuccess: onSaved },
      );
    } else create.mutate({ type, name, settings }, { onSuccess: onSaved });
  }

  const setting = (field: SettingField) => {
    const isSet = channel?.secrets.includes(field.name) ?? false;
    const isRemoved = removed.includes(field.name);
    const isOff = isUnused(type, field.name, texts, known);
    const isNeeded = !canMail && (field.name === "smtp_url" || field.name === "from");
    const use = isSet
      ? "Already set. A new value replaces it."
      : isNeeded
        ? "Required: this installation has no SMTP server."
        : field.hint;
    const hint = field.secret
      ? [use, "The audit log stores it as sent, visible to everyone who can read the log."].filter(Boolean).join(" ")
      : use;
    return (
      <div key={`${type} ${field.name}`} className="grid gap-1">
        <Field
          label={field.label}
          hint={hint}
          optional={(field.optional ?? false) && !isNeeded}
          error={wrong(`settings.${field.name}`)}
        >
          {(control) => (
            <Input
              {...control}
              mono={!field.list}
              placeholder={isSet ? "••••••••" : (field.otherwise ?? field.placeholder)}
              disabled={isRemoved || isOff}
              value={isOff ? "" : (texts[field.name] ?? "")}
              onChange={(event) => setTexts({ ...texts, [field.name]: event.target.value })}
            />
          )}
        </Field>
        {isSet && field.optional && (
          <Check
            checked={isRemoved}
            onChange={(on) => setRemoved(on ? [...removed, field.name] : removed.filter((each) => each !== field.name))}
            className="text-second"
          >
            Remove it
          </Check>
        )}
      </div>
    );
  };

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <Field label="Type" error={wrong("type")}>
        {(control) => (
          <Select
            {...control}
            value={type}
            disabled={channel !== undefined}
            onChange={(event) => {
              setType(event.target.value as ChannelType);
              setTexts({});
            }}
          >
            {channelTypes.map((each) => (
              <option key={each} value={each}>
                {channelTypeLabels[each]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Name" error={wrong("name")}>
        {(control) => (
          <Input
            {...control}
            ref={focusEmpty}
            placeholder="On-call team"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {settingFields[type].map(setting)}
      <FormEnd
        error={error}
        message={isPlaced ? null : failureOf(error).message}
        action={channel ? "Save" : "Add channel"}
        pending={isPending}
        onCancel={onCancel}
      />
    </form>
  );
}
