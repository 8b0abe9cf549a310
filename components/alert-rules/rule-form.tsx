"use client";

import { type FormEvent, lazy, type ReactNode, Suspense, useState } from "react";
import { ConditionPart } from "@/components/alert-rules/condition-part";
import { afterReading, afterSaving, editedOf } from "@/components/alert-rules/edited-rule";
import { FrequencyPart } from "@/components/alert-rules/frequency-part";
import { wrongOf } from "@/components/alert-rules/issues";
import { useCreateRule, useUpdateRule } from "@/components/alert-rules/queries";
import {
  fieldsOf,
  isAboutWholeLog,
  newRule,
  type RuleFields,
  ruleAbout,
  sentOf,
} from "@/components/alert-rules/rule-fields";
import { type Choice, SelectorPart, type Subjects } from "@/components/alert-rules/selector-part";
import { StepsPart } from "@/components/alert-rules/steps-part";
import type { FilterNames } from "@/components/audit-logs/filters/filter-box";
import { changesOf } from "@/components/requests/changes-of";
import { failureOf, isRequestFailed } from "@/components/states/failure";
import { FormFailure } from "@/components/states/form-failure";
import { LinkButton } from "@/components/ui/button";
import { Field, focusEmpty, Input } from "@/components/ui/field";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Note } from "@/components/ui/note";
import { useTimeZone } from "@/components/ui/reader";
import { Skeleton } from "@/components/ui/skeleton";
import { showToast } from "@/components/ui/toast";
import type { AlertRule } from "@/lib/alerts/rules/contract";

/** Asks the API only once the form is there, so its code comes after the form too. */
const RulePreview = lazy(async () => ({
  default: (await import("@/components/alert-rules/rule-preview")).RulePreview,
}));

/** The editor of a new or existing rule, beside a preview of its matches. */
export function RuleForm({
  rule,
  about,
  subjects,
  channels,
  known,
  reason,
  onCreated,
}: {
  rule?: AlertRule;
  /** Filters of the audit log as in its URL, for a new rule about its entries. */
  about?: string | undefined;
  subjects: Subjects;
  channels: readonly Choice[];
  /** What filters of the audit log name. */
  known: FilterNames;
  reason: string | null;
  onCreated?: (rule: AlertRule) => void;
}) {
  const zone = useTimeZone();
  const create = useCreateRule();
  const update = useUpdateRule();
  const { error } = rule ? update : create;
  // Until the page of a new rule opens, this one must not create another.
  const isPending = update.isPending || create.isPending || create.isSuccess;
  const [edited, setEdited] = useState(() => {
    if (rule) return editedOf(fieldsOf(rule, zone));
    return editedOf(about === undefined ? newRule(zone) : ruleAbout(about, zone));
  });
  const [read, setRead] = useState(rule);
  if (rule !== undefined && rule !== read) {
    setRead(rule);
    setEdited(afterReading(edited, rule, zone));
  }
  const { fields, saved } = edited;
  const sent = sentOf(fields);
  const set = (change: Partial<RuleFields>) =>
    setEdited((before) => ({ ...before, fields: { ...before.fields, ...change } }));
  const wrong = wrongOf(error);
  const part = { fields, set, wrong };
  const isPlaced = isRequestFailed(error) && error.code === "INVALID_REQUEST";

  function submit(event: FormEvent) {
    event.preventDefault();
    if (reason !== null) return;
    if (rule) {
      // What a rule selects and its steps are meant with the type of its condition.
      const isOfOtherType = sent.condition.type !== saved.condition.type;
      const changes = changesOf(saved, sent, isOfOtherType ? [["condition", "selector", "steps"]] : []);
      const onSuccess = (stored: AlertRule) => {
        setEdited((now) => afterSaving(now, fields, stored, zone));
        showToast(`${stored.name} was saved.`);
      };
      update.mutate({ id: rule.id, ...changes }, { onSuccess });
    } else create.mutate(sent, { onSuccess: (made) => onCreated?.(made) });
  }

  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-8 px-4 pt-2 sm:px-5 lg:grid-cols-[minmax(0,34rem)_minmax(0,1fr)]">
      <form onSubmit={submit} className="grid content-start gap-7" noValidate>
        {reason !== null && <Note tone="plain">{reason}</Note>}
        <fieldset disabled={reason !== null} className="grid min-w-0 gap-7">
          <Part title="Condition">
            <Field label="Name" error={wrong("name")}>
              {(control) => (
                <Input
                  {...control}
                  ref={focusEmpty}
                  placeholder="Web shop certificates"
                  value={fields.name}
                  onChange={(event) => set({ name: event.target.value })}
                />
              )}
            </Field>
            <ConditionPart {...part} known={known} />
            {!isAboutWholeLog(fields.type) && <SelectorPart {...part} subjects={subjects} />}
          </Part>
          <Part title="Severity and notifications">
            <StepsPart {...part} channels={channels} />
            {wrong("steps") !== undefined && fields.steps.length === 0 && (
              <Note tone="bad" alert>
                {wrong("steps")}
              </Note>
            )}
          </Part>
          <Part title="Frequency and quiet hours">
            <FrequencyPart {...part} />
          </Part>
        </fieldset>
        <FormFailure
          error={error}
          message={isPlaced ? "Some fields are invalid. Check the errors above." : failureOf(error).message}
        />
        <div className="flex flex-wrap gap-2">
          <GuardedButton type="submit" kind="primary" reason={reason} pending={isPending}>
            {rule ? "Save rule" : "Create rule"}
          </GuardedButton>
          <LinkButton href="/alert-rules">{rule ? "Back to rules" : "Cancel"}</LinkButton>
        </div>
      </form>
      <div className="min-w-0 lg:sticky lg:top-4 lg:self-start">
        <Suspense fallback={<Skeleton className="mt-8 h-24" />}>
          <RulePreview fields={fields} reason={reason} />
        </Suspense>
      </div>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-4">
      <h2 className="font-medium text-lg">{title}</h2>
      {children}
    </section>
  );
}
