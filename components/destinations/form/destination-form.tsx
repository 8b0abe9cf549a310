"use client";

import { type FormEvent, lazy, Suspense, useRef, useState } from "react";
import { wrongOf } from "@/components/alert-rules/issues";
import type { FilterNames } from "@/components/audit-logs/filters/filter-box";
import { FilterField } from "@/components/audit-logs/filters/filter-field";
import { inDisplayOrder } from "@/components/audit-logs/filters/filter-words";
import { logFilters } from "@/components/audit-logs/filters/written-query";
import type { FormKind } from "@/components/destinations/form/kind-field";
import { KindFieldControl } from "@/components/destinations/form/kind-field-control";
import { pathOf, textsOf, valuesOf } from "@/components/destinations/form/values";
import {
  useCreateDestination,
  useTestDestination,
  useTryDestination,
  useUpdateDestination,
} from "@/components/destinations/queries";
import { changesOf } from "@/components/requests/changes-of";
import { failureOf, isRequestFailed } from "@/components/states/failure";
import { FormFailure } from "@/components/states/form-failure";
import { Button, LinkButton } from "@/components/ui/button";
import { Field, focusEmpty, Input, Select } from "@/components/ui/field";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Note } from "@/components/ui/note";
import { Skeleton } from "@/components/ui/skeleton";
import type { Destination, DestinationTest, DestinationWithSecret } from "@/lib/destinations/contract";
import type { FormatName } from "@/lib/destinations/formats/names";

const TestResult = lazy(async () => ({
  default: (await import("@/components/destinations/form/exchange")).TestResult,
}));

/** They were tested with each other. */
const TOGETHER = [["settings", "secrets", "format"]] as const;

/** A result that shows less than this is scrolled to. */
const MIN_SHOWN_PX = 160;

type Props = {
  kind: FormKind;
  /** Why the reader may not change anything; null if they may. */
  reason: string | null;
  /** Where Cancel leads. */
  back: string;
  /** What the filters name. */
  known: FilterNames;
} & (
  | { destination: Destination; about?: undefined; onSaved: (saved: Destination) => void }
  | { destination?: undefined; about: string | null; onSaved: (saved: DestinationWithSecret) => void }
);

/** The settings of a new or saved destination, beside what a test of them sent and got. They are tested before they are saved. */
export function DestinationForm({ kind, destination, about, reason, back, known, onSaved }: Props) {
  const [name, setName] = useState(destination?.name ?? "");
  const [texts, setTexts] = useState(() => textsOf(kind.fields, destination?.settings ?? null));
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [format, setFormat] = useState<FormatName>(destination?.format ?? kind.formats[0]?.value ?? "sealwatch");
  const [query, setQuery] = useState(() => (destination ? inDisplayOrder(destination.query) : logFilters(about ?? "")));
  const [isTypingFilter, setIsTypingFilter] = useState(false);
  const [start, setStart] = useState<"now" | "oldest">("now");
  const [tested, setTested] = useState<{ key: string; result: DestinationTest } | null>(null);

  const values = valuesOf(kind.fields, texts, { isNew: destination === undefined, removed });
  const sent = { ...values, format, query };
  const key = JSON.stringify(sent);
  const [loaded] = useState({ name, ...sent });
  const [savedKey] = useState(destination === undefined ? null : key);
  const isUnchanged = key === savedKey && !isTypingFilter;
  const result = tested?.key === key && !isTypingFilter ? tested.result : null;

  const heading = useRef<HTMLHeadingElement>(null);
  const [trying, testing] = [useTryDestination(), useTestDestination()];
  const [creating, updating] = [useCreateDestination(), useUpdateDestination()];
  const isTesting = trying.isPending || testing.isPending;
  // Also until the page of the destination opens.
  const isSaving = [creating, updating].some(({ isPending, isSuccess }) => isPending || isSuccess);
  const error = creating.error ?? updating.error ?? trying.error ?? testing.error;
  const wrong = wrongOf(error);
  const resetErrors = () => {
    for (const mutation of [trying, testing, creating, updating]) mutation.reset();
  };

  function test() {
    if (reason !== null) return;
    resetErrors();
    const onSuccess = (done: DestinationTest) => {
      setTested({ key, result: done });
      // On phones, the result is below the form.
      const below = (heading.current?.getBoundingClientRect().top ?? 0) > window.innerHeight - MIN_SHOWN_PX;
      if (below) heading.current?.scrollIntoView({ block: "start" });
    };
    if (destination) testing.mutate({ id: destination.id, ...sent }, { onSuccess });
    else trying.mutate({ type: kind.type, name, ...sent }, { onSuccess });
  }

  function save() {
    if (reason !== null) return;
    resetErrors();
    if (destination) {
      const changes = changesOf(loaded, { name, ...sent }, TOGETHER);
      updating.mutate({ id: destination.id, ...changes }, { onSuccess: onSaved });
    } else creating.mutate({ type: kind.type, name, ...sent, start }, { onSuccess: onSaved });
  }

  const isReady = result?.ok === true || isUnchanged;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) save();
    else test();
  };
  const formatHint = kind.formats.find(({ value }) => value === format)?.hint;

  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-8 px-4 pt-2 pb-6 sm:px-5 lg:grid-cols-[minmax(0,30rem)_minmax(0,1fr)]">
      <form onSubmit={submit} className="grid content-start gap-4" noValidate>
        {reason !== null && <Note tone="plain">{reason}</Note>}
        <fieldset disabled={reason !== null} className="grid min-w-0 gap-4">
          <Field label="Name" error={wrong("name")}>
            {(control) => (
              <Input
                {...control}
                ref={focusEmpty}
                placeholder="SIEM"
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          {kind.fields.map((field) => (
            <KindFieldControl
              key={pathOf(field)}
              field={field}
              value={texts[pathOf(field)] ?? ""}
              error={wrong(pathOf(field))}
              isSet={field.part === "secrets" && (destination?.secrets.includes(field.name) ?? false)}
              isRemoved={field.part === "secrets" && removed.includes(field.name)}
              onChange={(value) => setTexts({ ...texts, [pathOf(field)]: value })}
              onRemove={(isRemoved) =>
                setRemoved(isRemoved ? [...removed, field.name] : removed.filter((each) => each !== field.name))
              }
            />
          ))}
          <Field label="Format" hint={formatHint} error={wrong("format")}>
            {(control) => (
              <Select {...control} value={format} onChange={(event) => setFormat(event.target.value as FormatName)}>
                {kind.formats.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <FilterField
            known={known}
            filters={query}
            onChange={setQuery}
            onTyping={setIsTypingFilter}
            hint="Only entries that match are sent."
            error={wrong("query")}
            optional
          />
          {destination === undefined && (
            <Field label="Start" error={wrong("start")}>
              {(control) => (
                <Select
                  {...control}
                  value={start}
                  onChange={(event) => setStart(event.target.value === "oldest" ? "oldest" : "now")}
                >
                  <option value="now">With new entries</option>
                  <option value="oldest">With the oldest entry that is kept</option>
                </Select>
              )}
            </Field>
          )}
        </fieldset>
        <FormFailure error={error} message={isPlaced(error, kind) ? null : failureOf(error).message} />
        <div className="flex flex-wrap gap-2">
          {isReady ? (
            <GuardedButton type="submit" kind="primary" reason={reason} pending={isSaving}>
              {destination ? "Save" : "Add destination"}
            </GuardedButton>
          ) : (
            <GuardedButton type="submit" kind="primary" reason={reason} pending={isTesting}>
              {isTesting ? "Sending…" : result === null ? "Send test" : "Test again"}
            </GuardedButton>
          )}
          {result?.ok === false && (
            <Button pending={isSaving} onClick={save}>
              {destination ? "Save anyway" : "Add anyway"}
            </Button>
          )}
          <LinkButton href={back}>Cancel</LinkButton>
        </div>
      </form>
      <div className="min-w-0 lg:sticky lg:top-4 lg:self-start">
        <h2 ref={heading} className="mb-2 scroll-mt-14 font-medium text-lg">
          Test
        </h2>
        {result === null ? (
          <p className="max-w-prose text-pretty text-second">
            {isTesting
              ? "Waiting for the receiver’s response…"
              : isUnchanged
                ? "Settings that you change are tested before they are saved."
                : "Before it is saved, a test sends the newest entry of the audit log with these settings, and shows the request and the response here."}
          </p>
        ) : (
          <Suspense fallback={<Skeleton className="h-24" />}>
            <TestResult test={result} />
          </Suspense>
        )}
      </div>
    </div>
  );
}

/** Whether each issue of a refused request is shown at a field. */
function isPlaced(error: unknown, { fields }: FormKind): boolean {
  const shown = ["name", "format", "query", "start", ...fields.map(pathOf)];
  const issues = isRequestFailed(error) ? (error.details.issues ?? []) : [];
  return (
    issues.length > 0 && issues.every(({ path }) => shown.some((each) => path === each || path.startsWith(`${each}.`)))
  );
}
