"use client";

import { type FormEvent, useState } from "react";
import { changesOf } from "@/components/requests/changes-of";
import { failureOf } from "@/components/states/failure";
import { FormFailure } from "@/components/states/form-failure";
import { useUpdateStatusPage } from "@/components/status-pages/queries";
import { type ListedSiteChoices, toSiteFields, toSiteInput } from "@/components/status-pages/site-fields";
import { SiteRows } from "@/components/status-pages/site-rows";
import { Field, Input } from "@/components/ui/field";
import { GuardedButton } from "@/components/ui/guarded-button";
import { showToast } from "@/components/ui/toast";
import type { StatusPage } from "@/lib/status-pages/contract";

/** Title, address and sites of a status page. */
export function StatusPageForm({
  organizationId,
  page,
  choices,
  reason,
}: {
  organizationId: string;
  page: StatusPage;
  choices: ListedSiteChoices;
  reason: string | null;
}) {
  const update = useUpdateStatusPage();
  const failure = failureOf(update.error, ["title", "slug", "sites"]);
  const [title, setTitle] = useState(page.title);
  const [slug, setSlug] = useState(page.slug);
  const [sites, setSites] = useState(() => toSiteFields(page.sites, choices));
  const sent = { title, slug, sites: toSiteInput(sites) };
  const [loaded, setLoaded] = useState(sent);

  function submit(event: FormEvent) {
    event.preventDefault();
    const changes = changesOf(loaded, sent);
    update.mutate(
      { id: organizationId, page_id: page.id, ...changes },
      {
        onSuccess: (saved) => {
          const shown = toSiteFields(saved.sites, choices, page.sites);
          setTitle(saved.title);
          setSlug(saved.slug);
          setSites(shown);
          setLoaded({ title: saved.title, slug: saved.slug, sites: toSiteInput(shown) });
          showToast("The status page was saved.");
        },
      },
    );
  }

  return (
    <form onSubmit={submit} className="grid max-w-5xl gap-6 px-4 pt-2 sm:px-5" noValidate>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <Field label="Title" hint="The heading of the page, visible to everybody." error={failure.fields.title}>
          {(control) => <Input {...control} value={title} onChange={(event) => setTitle(event.target.value)} />}
        </Field>
        <Field
          label="Slug"
          hint="The end of the page’s address. Use a random slug to keep the page unlisted."
          error={failure.fields.slug}
        >
          {(control) => <Input {...control} mono value={slug} onChange={(event) => setSlug(event.target.value)} />}
        </Field>
      </div>
      <SiteRows sites={sites} choices={choices} error={failure.fields.sites} onChange={setSites} />
      <FormFailure error={update.error} message={failure.message} />
      <div>
        <GuardedButton type="submit" kind="primary" reason={reason} pending={update.isPending}>
          Save changes
        </GuardedButton>
      </div>
    </form>
  );
}
