"use client";

import { type FormEvent, useState } from "react";
import { expiresAt, whitelistEntries } from "@/components/api-keys/expiration";
import { ExpirationField } from "@/components/api-keys/expiration-field";
import { useCreateApiKey, useUpdateApiKey } from "@/components/api-keys/queries";
import { useWhitelistCheck } from "@/components/api-keys/whitelist-check";
import { newlyRefused, refusedWords, WhitelistPreviewResult } from "@/components/api-keys/whitelist-preview";
import { changesOf } from "@/components/requests/changes-of";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { Time } from "@/components/time/time";
import { Button } from "@/components/ui/button";
import { Field, focusEmpty, Input, Select, Textarea } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import type { ApiKey, ApiKeyWithSecret } from "@/lib/api-keys/contract";
import type { WhitelistPreview } from "@/lib/api-keys/usage-contract";
import { type Scope, scopeLabels, scopes } from "@/lib/auth/scopes";

const FIELDS = ["name", "permission", "scope", "ip_whitelist", "expires_at"];

type Permission = ApiKey["permission"];

/** Name, permission, whitelist and expiration of a new key, or of `apiKey` to change it. */
export function KeyForm({
  apiKey,
  suggestedWhitelist = [],
  onCreated,
  onUpdated,
  onCancel,
}: {
  apiKey?: ApiKey;
  /** Entries to begin with if the key has none. */
  suggestedWhitelist?: string[];
  onCreated?: (key: ApiKeyWithSecret) => void;
  onUpdated?: (key: ApiKey) => void;
  onCancel: () => void;
}) {
  const create = useCreateApiKey();
  const update = useUpdateApiKey();
  const { isPending, error } = apiKey ? update : create;
  const failure = failureOf(error, FIELDS);

  const [loaded] = useState(apiKey);
  const [name, setName] = useState(apiKey?.name ?? "");
  const [permission, setPermission] = useState<Permission>(apiKey?.permission ?? "read");
  const [scope, setScope] = useState<Scope | null>(apiKey?.scope ?? null);
  const listed = apiKey?.ip_whitelist ?? [];
  const [whitelist, setWhitelist] = useState((listed.length > 0 ? listed : suggestedWhitelist).join("\n"));
  const [expiration, setExpiration] = useState({ choice: apiKey ? "keep" : "90", at: "" });

  const entries = whitelistEntries(whitelist);
  const check = useWhitelistCheck(apiKey, entries);

  function submit(event: FormEvent) {
    event.preventDefault();
    // If the whitelist would block known addresses, show them first: saving then takes a second click.
    if (check.isDue) check.ask((preview) => newlyRefused(preview).length === 0 && save());
    else save();
  }

  function save() {
    const expires_at = expiresAt(expiration, Date.now());
    const fields = { name, permission, scope: permission === "admin" ? scope : null, ip_whitelist: entries };
    const expiry = expires_at === undefined ? {} : { expires_at };
    if (loaded) {
      const changes = changesOf(loaded, fields, [["permission", "scope"]]);
      update.mutate({ id: loaded.id, ...changes, ...expiry }, { onSuccess: (key) => onUpdated?.(key) });
    } else create.mutate({ ...fields, ...expiry }, { onSuccess: (key) => onCreated?.(key) });
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <Field
        label="Name"
        hint="The client that uses the key, such as ci-deploy. Shown in the audit log."
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
      {permission === "admin" && (
        <Field label="Scope" hint="Requests outside the scope are refused (403)." error={failure.fields.scope}>
          {(control) => (
            <Select
              {...control}
              value={scope ?? ""}
              onChange={({ target }) => setScope(scopes.find((each) => each === target.value) ?? null)}
            >
              <option value="">Everything</option>
              {scopes.map((each) => (
                <option key={each} value={each}>
                  {scopeLabels[each]}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <Field
        label="Allowed addresses"
        optional
        hint="IPv4 or IPv6 addresses and CIDR ranges, one per line. If empty, the key works from any address."
        error={check.failure.fields.ip_whitelist ?? failure.fields.ip_whitelist}
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
      {check.preview && <WhitelistPreviewResult preview={check.preview} />}
      {check.canAsk && (
        <Button className="justify-self-start" pending={check.isPending} onClick={() => check.ask()}>
          Preview blocked addresses
        </Button>
      )}
      <ExpirationField
        isNew={apiKey === undefined}
        value={expiration}
        error={failure.fields.expires_at}
        onChange={setExpiration}
      />
      {apiKey?.expires_at && (
        <p className="text-second text-sm">
          The key currently expires <Time value={apiKey.expires_at} />.
        </p>
      )}
      {apiKey?.permission === "admin" && permission === "read" && (
        <Note tone="warn">Clients that change something with this key get 403 from their next request on.</Note>
      )}
      {check.failure.message && (
        <Note tone="bad" alert>
          The preview failed: {check.failure.message} Try again, or save without a preview.
        </Note>
      )}
      <FormEnd
        error={error}
        message={failure.message}
        action={apiKey ? saveWords(check.preview) : "Create key"}
        pending={isPending || check.isPending}
        onCancel={onCancel}
      />
    </form>
  );
}

function saveWords(preview: WhitelistPreview | null): string {
  if (preview === null || newlyRefused(preview).length === 0) return "Save changes";
  return `Save and block ${refusedWords(preview)}`;
}
