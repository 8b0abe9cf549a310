"use client";

import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { KeyAction } from "@/components/api-keys/lazy-key-dialog";
import { chooseTheme, themeChoices } from "@/components/layout/choose-theme";
import { signOut } from "@/components/layout/sign-out";
import { switchOrganization } from "@/components/layout/switch-organization";
import type { Reader } from "@/components/palette/commands";
import { useFoundEndpoints, useFoundKeys } from "@/components/palette/found";
import { matches } from "@/components/palette/matches";
import { show } from "@/components/palette/opened";
import { pageActions } from "@/components/palette/page-actions";
import { recentVisits } from "@/components/palette/recent";
import { destinations } from "@/components/palette/shortcuts";
import { readOnlyReason } from "@/components/states/read-only";
import { plural } from "@/components/time/time-format";
import { Kbd } from "@/components/ui/kbd";
import { Modal } from "@/components/ui/modal";
import type { ApiKey } from "@/lib/api-keys/contract";

const keyActions: readonly { action: KeyAction; verb: string }[] = [
  { action: "edit", verb: "Edit" },
  { action: "rotate", verb: "Rotate" },
  { action: "revoke", verb: "Revoke" },
];

/** Finds pages, keys, endpoints and actions by a few letters, and opens or runs them. */
export function Palette({
  permission,
  organizationId,
  organizations,
  organizationCookie,
  onAction,
}: Reader & { onAction: (apiKey: ApiKey, action: KeyAction) => void }) {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  // The browser focuses the dialog itself, which takes no input.
  useEffect(() => input.current?.focus(), []);
  const [typed, setTyped] = useState("");
  const [visits] = useState(() => recentVisits(organizationId));
  const [actions] = useState(pageActions);
  const keys = useFoundKeys(typed);
  const endpoints = useFoundEndpoints(typed);
  const close = () => show(null);
  const go = (href: string) => {
    close();
    router.push(href);
  };
  const after = (work: () => void) => {
    close();
    // After the palette has closed and the focus has returned.
    setTimeout(work);
  };
  const others = organizations.filter(({ id }) => id !== organizationId);
  // Only if the user starts to type the action: listing every key three times would bury other results.
  const meant = permission === "admin" ? keyActions.filter(({ verb }) => begins(verb, typed)) : [];
  const failed = keys.isError || endpoints.isError;
  return (
    <Modal
      onClose={close}
      aria-label="Search or run a command"
      className="fixed inset-x-0 top-0 bottom-auto mx-auto max-h-dvh w-full max-w-none animate-appear overflow-hidden bg-panel text-ink shadow-float outline-none backdrop:bg-veil sm:top-[14dvh] sm:w-[calc(100%-2rem)] sm:max-w-xl sm:rounded-lg"
    >
      <Command
        label="Search or run a command"
        loop
        filter={(_, search, keywords) => matches(keywords?.join(" ") ?? "", search)}
        className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-third [&_[cmdk-group-heading]]:text-xs"
      >
        <div className="flex items-center gap-3 border-b px-4">
          <Command.Input
            ref={input}
            value={typed}
            onValueChange={setTyped}
            placeholder="Search pages, keys, endpoints and actions…"
            className="h-11 min-w-0 flex-1 bg-transparent outline-none pointer-coarse:text-lg"
          />
          <button type="button" onClick={close} className="rounded-xs">
            <Kbd>Esc</Kbd>
            <span className="sr-only"> Close</span>
          </button>
        </div>
        <Command.List className="max-h-[min(26rem,70dvh)] overflow-y-auto overscroll-contain p-1.5">
          <Command.Empty className="px-2 py-6 text-second">
            {keys.isFetching || endpoints.isFetching ? "Searching…" : "No results."}
          </Command.Empty>
          {typed === "" && visits.length > 0 && (
            <Command.Group heading="Recently viewed">
              {visits.map(({ href, title }) => (
                <Item key={href} id={`visit ${href}`} label={title} onSelect={() => go(href)} note={kindOf(href)} />
              ))}
            </Command.Group>
          )}
          {actions.length > 0 && (
            <Command.Group heading="On this page">
              {actions.map(({ label, reason, press }) => (
                <Item key={label} id={`action ${label}`} label={label} reason={reason} onSelect={() => after(press)} />
              ))}
            </Command.Group>
          )}
          <Command.Group heading="Pages">
            {destinations.map(({ href, label, letter }) => (
              <Item
                key={href}
                id={`page ${href}`}
                label={label}
                onSelect={() => go(href)}
                note={
                  letter && (
                    <span className="flex gap-1 pointer-coarse:hidden">
                      <Kbd>g</Kbd>
                      <Kbd>{letter}</Kbd>
                    </span>
                  )
                }
              />
            ))}
          </Command.Group>
          {keys.data && typed !== "" && (
            <Command.Group heading="API keys">
              {keys.data.map((key) => (
                <Item
                  key={key.id}
                  id={`key ${key.id}`}
                  label={key.name}
                  note={key.status === "active" ? key.permission : key.status}
                  onSelect={() => go(`/api-keys/${key.id}`)}
                />
              ))}
              {meant.flatMap(({ action, verb }) =>
                keys.data
                  .filter(({ status }) => status !== "revoked")
                  .map((key) => (
                    <Item
                      key={`${action} ${key.id}`}
                      id={`${action} ${key.id}`}
                      label={`${verb} ${key.name}…`}
                      onSelect={() => after(() => onAction(key, action))}
                    />
                  )),
              )}
            </Command.Group>
          )}
          {endpoints.data && typed !== "" && (
            <Command.Group heading="Endpoints">
              {endpoints.data.map(({ id, host, port, sni }) => (
                <Item
                  key={id}
                  id={`endpoint ${id}`}
                  label={`${host}:${port}`}
                  note={sni}
                  onSelect={() => go(`/certificates/endpoints/${id}`)}
                />
              ))}
            </Command.Group>
          )}
          <Command.Group heading="Actions">
            {others.map(({ id, name }) => (
              <Item
                key={id}
                id={`organization ${id}`}
                label={`Switch to ${name}`}
                onSelect={() => switchOrganization(organizationCookie, id)}
              />
            ))}
            {themeChoices.map(({ value, label }) => (
              <Item
                key={value}
                id={`theme ${value}`}
                label={`Theme: ${label.toLowerCase()}`}
                onSelect={() => after(() => chooseTheme(value))}
              />
            ))}
            <Item id="keys" label="Keyboard shortcuts" note={<Kbd>?</Kbd>} onSelect={() => show("keys")} />
            <Item id="sign out" label="Sign out" onSelect={() => after(signOut)} />
          </Command.Group>
        </Command.List>
        {permission === "read" && begins("create add revoke rotate edit", typed) && (
          <p className="border-t px-4 py-2 text-second text-sm">{readOnlyReason(permission)}</p>
        )}
        <p role="status" className={failed ? "border-t px-4 py-2 text-bad text-sm" : "sr-only"}>
          {failed
            ? "Keys or endpoints could not be loaded. Pages and actions still work."
            : endpoints.data && typed !== "" && plural(endpoints.data.length, "endpoint")}
        </p>
      </Command>
    </Modal>
  );
}

function begins(words: string, typed: string): boolean {
  const [first = ""] = typed.trim().toLowerCase().split(/\s+/);
  return (
    first.length > 1 &&
    words
      .toLowerCase()
      .split(" ")
      .some((word) => word.startsWith(first))
  );
}

function kindOf(href: string): string {
  return destinations.find((page) => page.href !== "/" && href.startsWith(`${page.href}/`))?.label ?? "";
}

function Item({
  id,
  label,
  note,
  reason = null,
  onSelect,
}: {
  id: string;
  label: string;
  note?: ReactNode;
  /** Why it is disabled. */
  reason?: string | null;
  onSelect: () => void;
}) {
  return (
    <Command.Item
      value={id}
      keywords={[label]}
      disabled={reason !== null}
      onSelect={onSelect}
      className="flex min-h-7 scroll-my-1.5 select-none items-center justify-between gap-4 rounded-sm px-2 py-1 aria-disabled:text-third data-[selected=true]:bg-seal-wash pointer-coarse:min-h-10"
    >
      <span dir="auto" className="min-w-0 truncate">
        {label}
      </span>
      {reason !== null ? (
        <span className="shrink-0 text-sm">not with your permission</span>
      ) : (
        note && <span className="max-w-[45%] shrink-0 truncate text-second text-sm">{note}</span>
      )}
    </Command.Item>
  );
}
