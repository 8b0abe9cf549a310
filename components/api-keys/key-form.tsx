"use client";

import { type FormEvent, useState } from "react";
import { expiresAt, lifetimes, whitelistEntries } from "@/components/api-keys/expiration";
import { useCreateApiKey, useUpdateApiKey } from "@/components/api-keys/queries";
import { failureOf } from "@/components/states/failure";
import { FormFailure } from "@/components/states/form-failure";
import { Button } from "@/components/ui/button";
import { DialogButtons } from "@/components/ui/dialog";
import { Field, focusEmpty, Input, Select, Textarea } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Time } from "@/components/ui/time";
import type { ApiKey, ApiKeyWithSecret } from "@/lib/api-keys/contract";

const FIELDS = ["name", "permission", "ip_whitelist", "expires_at"];

type Permission = ApiKey["permission"];

/** Name, permission, whitelist and expiration of a new key, or of `apiKey` to change it. */
export function KeyForm({
  apiKey,
  onCreated,
  onUpdated,
  onCancel,
}: {
  apiKey?: ApiKey;
  onCreated?: (key: ApiKeyWithSecret) => void;
  onUpdated?: (key: ApiKey) => void;
  onCancel: () => void;
}) {
  const create = useCreateApiKey();
  const update = useUpdateApiKey();
  const { isPending, error } = apiKey ? update : create;
  const failure = failureOf(error, FIELDS);

  const [name, setName] = useState(apiKey?.name ?? "");
  const [permission, setPermission] = useState<Permission>(apiKey?.permission ?? "read");
  const [whitelist, setWhitelist] = useState(apiKey?.ip_whitelist.join("\n") ?? "");
  const [expiration, setExpiration] = useState({ choice: apiKey ? "keep" : "90", at: "" });

  function submit(event: FormEvent) {
    event.preventDefault();
    const expires_at = expiresAt(expiration, Date.now());
    const fields = {
      name,
      permission,
      ip_whitelist: whitelistEntries(whitelist),
      ...(expires_at !== undefined && { expires_at }),
    };
    if (apiKey) update.mutate({ id: apiKey.id, ...fields }, { onSuccess: (key) => onUpdated?.(key) });
    else create.mutate(fields, { onSuccess: (key) => onCreated?.(key) });
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <Field
        label="Name"
        hint="Who uses it, such as ci-deploy. It stands in the audit log."
        error={failure.fields.name}
      >
        {(control) => (
          <Input
            {...control}
            required
            ref={focusEmpty}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="Permission" error={failure.fields.permission}>
        {(control) => (
          <Select
            {...control}
            value={permission}
            onChange={(event) => setPermission(event.target.value === "admin" ? "admin" : "read")}
          >
            <option value="read">Read: GET requests only</option>
            <option value="admin">Admin: read and change everything</option>
          </Select>
        )}
      </Field>
      <Field
        label="Allowed addresses"
        optional
        hint="IPv4 or IPv6 addresses and CIDR ranges, one a line. Empty: the key works from anywhere."
        error={failure.fields.ip_whitelist}
      >
        {(control) => (
          <Textarea
            {...control}
            mono
            placeholder={"192.0.2.10\n2001:db8::/32"}
            value={whitelist}
            onChange={(event) => setWhitelist(event.target.value)}
          />
        )}
      </Field>
      <Field label="Expires" error={failure.fields.expires_at}>
        {(control) => (
          <div className="flex flex-wrap gap-2">
            <Select
              {...control}
              className="w-auto min-w-40 flex-1"
              value={expiration.choice}
              onChange={(event) => setExpiration({ ...expiration, choice: event.target.value })}
            >
              {apiKey && <option value="keep">As it is</option>}
              <option value="never">Never</option>
              {lifetimes.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
              <option value="at">At a time…</option>
            </Select>
            {expiration.choice === "at" && (
              <Input
                type="datetime-local"
                aria-label="Time of expiration, in your zone"
                className="w-auto min-w-48 flex-1"
                value={expiration.at}
                onChange={(event) => setExpiration({ ...expiration, at: event.target.value })}
              />
            )}
          </div>
        )}
      </Field>
      {apiKey && <Consequences apiKey={apiKey} permission={permission} whitelist={whitelistEntries(whitelist)} />}
      <FormFailure message={failure.message} />
      <DialogButtons>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" kind="primary" pending={isPending}>
          {apiKey ? "Save changes" : "Create key"}
        </Button>
      </DialogButtons>
    </form>
  );
}

/** What saving would break for those who use the key. */
function Consequences({
  apiKey,
  permission,
  whitelist,
}: {
  apiKey: ApiKey;
  permission: Permission;
  whitelist: string[];
}) {
  const loses = apiKey.permission === "admin" && permission === "read";
  const wasOpen = apiKey.ip_whitelist.length === 0;
  const removed = wasOpen ? [] : apiKey.ip_whitelist.filter((entry) => !whitelist.includes(entry));
  const narrows = whitelist.length > 0 && (wasOpen || removed.length > 0);
  return (
    <>
      {apiKey.expires_at && (
        <p className="text-second text-sm">
          As it is, the key expires <Time value={apiKey.expires_at} />.
        </p>
      )}
      {(loses || narrows) && (
        <Note tone="warn">
          {loses && <p>Clients that change something with this key get 403 from their next request on.</p>}
          {narrows && (
            <p>
              {removed.length > 0
                ? `Clients at ${removed.slice(0, 3).join(", ")}${removed.length > 3 ? " and others" : ""} get 403 from their next request on.`
                : "Clients at any other address get 403 from their next request on."}
            </p>
          )}
        </Note>
      )}
    </>
  );
}
