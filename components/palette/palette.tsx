"use client";

import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { KeyAction } from "@/components/api-keys/lazy-key-dialog";
import { callEndpoint } from "@/components/layout/use-endpoint";
import type { Reader } from "@/components/palette/commands";
import { destinationButtons } from "@/components/palette/destination-buttons";
import { takeEarlyText } from "@/components/palette/early-text";
import { FoundResults } from "@/components/palette/found-results";
import { ActionsGroup, PagesGroup } from "@/components/palette/groups";
import { Item, score } from "@/components/palette/item";
import { show } from "@/components/palette/opened";
import { pageActions } from "@/components/palette/page-actions";
import { pressOnPage } from "@/components/palette/press-on-page";
import { recentVisits } from "@/components/palette/recent";
import { AuditLogMatches, SecretOwner } from "@/components/palette/recognized-items";
import { destinations } from "@/components/palette/shortcuts";
import { commandIn, keyActions } from "@/components/palette/verbs";
import { isConfidential, recognize } from "@/components/search/recognize";
import { useSearch } from "@/components/search/use-search";
import { ownerWords, useSecretOwner } from "@/components/search/use-secret-owner";
import { readOnlyReason } from "@/components/states/read-only";
import { Kbd } from "@/components/ui/kbd";
import { Modal } from "@/components/ui/modal";
import { showToast } from "@/components/ui/toast";
import type { ApiKey } from "@/lib/api-keys/contract";
import { plural } from "@/lib/text/counts";

/** Finds pages, commands and things of the organization by a few letters or by what is pasted, and opens or runs them. */
export function Palette({
  permission,
  organizationId,
  organizations,
  organizationCookie,
  isOperator,
  onAction,
}: Reader & { onAction: (apiKey: ApiKey, action: KeyAction) => void }) {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const [visits] = useState(() => recentVisits(organizationId));
  const [actions] = useState(pageActions);
  const { identify, owner, isError: isOwnerUnknown } = useSecretOwner();
  /** The hint of a pasted secret, which replaces it at once. */
  const [hint, setHint] = useState<string | null>(null);
  const isSecret = hint !== null && typed === hint;
  const { verb, object } = commandIn(typed);
  const search = useSearch(organizationId, isSecret ? "" : object);
  const type = (text: string) => {
    const found = recognize(text);
    if (found?.kind !== "secret") return setTyped(text);
    setTyped(found.hint);
    setHint(found.hint);
    void identify(found.secret);
  };
  const typeEarly = useEffectEvent(() => {
    const text = takeEarlyText();
    if (text !== "") type(text);
  });
  useEffect(() => {
    // The browser focuses the dialog itself, which takes no input.
    input.current?.focus();
    typeEarly();
  }, []);
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
  const press = (href: string, label: string) => {
    if (location.pathname !== href) go(href);
    else close();
    setTimeout(() => pressOnPage(href, label));
  };
  /** Opens the dialog of an action with the key's current state. */
  const act = async (id: string, action: KeyAction) => {
    try {
      onAction(await callEndpoint(async () => (await import("@/lib/api-keys/contract")).getApiKey, { id }), action);
    } catch {
      showToast("The key could not be loaded.");
    }
  };
  const others = organizations.filter(({ id }) => id !== organizationId);
  // Only if the user types the action: listing every key three times would bury other results.
  const meantBy = <Action extends { verb: string }>(actions: readonly Action[]) =>
    permission === "admin" ? actions.filter((each) => each.verb === verb?.verb) : [];
  const refusal = readOnlyReason(permission);
  const failed = search.isError || (isSecret && isOwnerUnknown);
  return (
    <Modal
      onClose={close}
      aria-label="Search or run a command"
      className="fixed inset-x-0 top-0 bottom-auto mx-auto max-h-dvh w-full max-w-none animate-appear overflow-hidden bg-panel text-ink shadow-float outline-none backdrop:bg-veil sm:top-[14dvh] sm:w-[calc(100%-2rem)] sm:max-w-xl sm:rounded-lg"
    >
      <Command
        label="Search or run a command"
        loop
        filter={score}
        className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-third [&_[cmdk-group-heading]]:text-xs"
      >
        <div className="flex items-center gap-3 border-b px-4">
          <Command.Input
            ref={input}
            value={typed}
            onValueChange={type}
            placeholder="Search, paste or run a command…"
            className="h-11 min-w-0 flex-1 bg-transparent outline-none pointer-coarse:text-lg"
          />
          <button type="button" onClick={close} className="rounded-xs">
            <Kbd>Esc</Kbd>
            <span className="sr-only"> Close</span>
          </button>
        </div>
        <Command.List className="max-h-[min(26rem,70dvh)] overflow-y-auto overscroll-contain p-1.5">
          <Command.Empty className="px-2 py-6 text-second">{nothing()}</Command.Empty>
          {isSecret && owner && <SecretOwner owner={owner} onOpen={go} />}
          {typed !== "" && <AuditLogMatches typed={typed} onOpen={go} />}
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
          <PagesGroup typed={typed} isOperator={isOperator} onOpen={go} />
          {typed !== "" && !isSecret && (
            <FoundResults
              results={search.results}
              actions={meantBy(keyActions)}
              buttons={meantBy(destinationButtons)}
              onOpen={go}
              onPress={press}
              onAction={(id, action) => after(() => void act(id, action))}
            />
          )}
          <ActionsGroup
            typed={typed}
            onPage={actions}
            refusal={refusal}
            organizations={others}
            organizationCookie={organizationCookie}
            onPress={press}
            onType={setTyped}
            after={after}
          />
        </Command.List>
        {refusal !== null && verb !== null && <p className="border-t px-4 py-2 text-second text-sm">{refusal}</p>}
        <p role="status" className={failed ? "border-t px-4 py-2 text-bad text-sm" : "sr-only"}>
          {failed
            ? "Search is not available. Pages and actions still work."
            : search.results.length > 0 && plural(search.results.length, "result")}
        </p>
      </Command>
    </Modal>
  );

  /** Said when nothing matches. */
  function nothing(): string {
    if (isSecret) return owner?.match === null ? `${ownerWords(owner, 0)}.` : "Looking up the secret by its hash…";
    if (isConfidential(typed))
      return "This looks like part of a secret. It was not sent anywhere. Paste the whole secret.";
    if (verb !== null && object === "") return `Type a part of the ${verb.of}'s name.`;
    return search.isPending ? "Searching…" : "No results.";
  }
}

function kindOf(href: string): string {
  return destinations.find((page) => page.href !== "/" && href.startsWith(`${page.href}/`))?.label ?? "";
}
