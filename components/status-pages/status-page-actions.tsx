"use client";

import { useFreshRouter } from "@/components/requests/use-fresh-router";
import { showFailure } from "@/components/states/show-failure";
import { useDeleteStatusPage, useUpdateStatusPage } from "@/components/status-pages/queries";
import { buttonClass } from "@/components/ui/button-class";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { GuardedButton } from "@/components/ui/guarded-button";
import { showToast } from "@/components/ui/toast";
import type { StatusPage } from "@/lib/status-pages/contract";

interface Subject {
  organizationId: string;
  page: StatusPage;
  reason: string | null;
}

/** Delete, publish or unpublish, and preview. */
export function StatusPageActions({ organizationId, page, reason }: Subject) {
  const router = useFreshRouter();
  const { id, title } = page;
  return (
    <>
      <ConfirmedButton
        label="Delete…"
        reason={reason}
        title={`Delete ${title}?`}
        action="Delete status page"
        mutation={useDeleteStatusPage()}
        variables={{ id: organizationId, page_id: id }}
        onDone={() => {
          showToast(`${title} was deleted.`);
          router.replace("/status-pages");
        }}
      >
        <p>Its address stops working immediately, and others can use it.</p>
      </ConfirmedButton>
      {page.published && <Unpublish organizationId={organizationId} page={page} reason={reason} />}
      <a href={`/status-pages/${id}/preview`} target="_blank" rel="noreferrer" className={buttonClass()}>
        Preview
      </a>
      {!page.published && <Publish organizationId={organizationId} page={page} reason={reason} />}
    </>
  );
}

function Publish({ organizationId, page, reason }: Subject) {
  const update = useUpdateStatusPage();
  const sent = { id: organizationId, page_id: page.id, published: true };
  return (
    <GuardedButton
      kind="primary"
      reason={reason}
      pending={update.isPending}
      onClick={() =>
        update.mutate(sent, {
          onSuccess: ({ title }) => showToast(`${title} is public now.`),
          onError: showFailure,
        })
      }
    >
      Publish
    </GuardedButton>
  );
}

function Unpublish({ organizationId, page, reason }: Subject) {
  return (
    <ConfirmedButton
      kind="plain"
      label="Unpublish…"
      reason={reason}
      title={`Unpublish ${page.title}?`}
      action="Unpublish"
      mutation={useUpdateStatusPage()}
      variables={{ id: organizationId, page_id: page.id, published: false }}
      onDone={() => showToast(`${page.title} is no longer public.`)}
    >
      <p>Its address returns 404. You can publish it again.</p>
    </ConfirmedButton>
  );
}
