"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import type { FilterNames } from "@/components/audit-logs/filters/filter-box";
import { FilterField } from "@/components/audit-logs/filters/filter-field";
import { TimeField, toIso } from "@/components/audit-logs/filters/time-field";
import { writtenQuery } from "@/components/audit-logs/filters/written-query";
import { usePlaceHold } from "@/components/integrity/queries";
import { failureOf } from "@/components/states/failure";
import { FormFailure } from "@/components/states/form-failure";
import { LinkButton } from "@/components/ui/button";
import { Field, focusEmpty, Input } from "@/components/ui/field";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Note } from "@/components/ui/note";
import { showToast } from "@/components/ui/toast";

const BACK = "/integrity#holds";

/** The form of a new legal hold; returns to the page of the sealed log. */
export function HoldForm({ known, reason }: { known: FilterNames; reason: string | null }) {
  const router = useRouter();
  const place = usePlaceHold();
  const [filters, setFilters] = useState<Record<string, string>>({});
  const { message, fields } = failureOf(place.error, ["name", "reason", "filter"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (reason !== null) return;
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const [since, until] = [toIso(form.get("since")), toIso(form.get("until"))];
    const filter = writtenQuery({ ...filters, ...(since && { since }), ...(until && { until }) });
    place.mutate(
      { name: text("name"), reason: text("reason"), ...(filter !== "" && { filter }) },
      {
        onSuccess: ({ name }) => {
          showToast(`The hold “${name}” was placed.`);
          router.replace(BACK);
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className="grid max-w-[34rem] gap-4 px-4 pt-2 sm:px-5" noValidate>
      {reason !== null && <Note tone="plain">{reason}</Note>}
      <fieldset disabled={reason !== null} className="grid min-w-0 gap-4">
        <Field label="Name" error={fields.name}>
          {(control) => <Input {...control} ref={focusEmpty} name="name" maxLength={100} placeholder="Case 4711" />}
        </Field>
        <Field label="Reason" hint="It stays in the log." error={fields.reason}>
          {(control) => <Input {...control} name="reason" maxLength={500} />}
        </Field>
        <FilterField
          known={known}
          filters={filters}
          onChange={setFilters}
          hint="Entries that match are on hold; without a filter, the whole log."
          error={fields.filter}
          optional
        />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TimeField name="since" label="From" iso={undefined} />
          <TimeField name="until" label="Until" iso={undefined} />
        </div>
      </fieldset>
      <FormFailure error={place.error} message={message} />
      <div className="flex flex-wrap gap-2">
        <GuardedButton type="submit" kind="primary" reason={reason} pending={place.isPending || place.isSuccess}>
          Place hold
        </GuardedButton>
        <LinkButton href={BACK}>Cancel</LinkButton>
      </div>
    </form>
  );
}
