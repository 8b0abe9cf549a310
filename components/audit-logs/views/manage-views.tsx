"use client";

import { type FormEvent, type ReactNode, useState } from "react";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { changeWeeklyEmail, useChangeView, useDeleteView } from "@/components/audit-logs/views/queries";
import { queryOf } from "@/components/audit-logs/views/saved-views";
import { useMutation } from "@/components/requests/use-mutation";
import { failureOf } from "@/components/states/failure";
import { FormFailure } from "@/components/states/form-failure";
import { showFailure } from "@/components/states/show-failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Input, Select } from "@/components/ui/field";
import { showToast } from "@/components/ui/toast";
import type { AuditView } from "@/lib/audit-views/contract";

/** Renames saved views, replaces them with the current view, e-mails them every week, and deletes them. */
export function ManageViews({
  views,
  canMail,
  onClose,
  ...on
}: { views: AuditView[]; canMail: boolean; onClose: () => void } & Pick<RowProps, "onChanged" | "onDeleted">) {
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title="Saved views"
      description="Your own views and those of the organization."
    >
      {views.length === 0 && <p className="text-second">No saved views.</p>}
      {!canMail && views.length > 0 && (
        <p className="text-second">
          Weekly e-mails are not available, because this installation has no SMTP server (SMTP_URL).
        </p>
      )}
      <ul>
        {views.map((view) => (
          <ViewRow key={view.id} view={view} {...on}>
            {canMail && <WeeklyEmail view={view} onChanged={on.onChanged} />}
          </ViewRow>
        ))}
      </ul>
    </Dialog>
  );
}

interface RowProps {
  view: AuditView;
  onChanged: (view: AuditView) => void;
  onDeleted: (view: AuditView) => void;
  children: ReactNode;
}

/** Whether the reader gets the view by e-mail. */
function WeeklyEmail({ view, onChanged }: Pick<RowProps, "view" | "onChanged">) {
  // Callbacks of the hook are called even if the dialog was closed in the meantime.
  const change = useMutation({
    mutationFn: changeWeeklyEmail,
    onSuccess: (changed) => {
      onChanged(changed);
      showToast(`Weekly e-mail turned ${changed.weekly_email ? "on" : "off"} for “${changed.name}”.`);
    },
    onError: showFailure,
  });
  return (
    <label className="flex w-max items-center gap-2">
      <input
        type="checkbox"
        className="size-4 accent-seal"
        checked={view.weekly_email}
        disabled={change.isPending}
        onChange={({ target }) => change.mutate({ id: view.id, weekly_email: target.checked })}
      />
      E-mail me its entries of the last week every Monday
    </label>
  );
}

function ViewRow({ view, onChanged, onDeleted, children }: RowProps) {
  const { params } = useExplorerView();
  const change = useChangeView();
  const remove = useDeleteView();
  const [isSure, setIsSure] = useState(false);
  const { message } = failureOf(change.error ?? remove.error);
  const rename = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const scope = data.get("scope") === "organization" ? ("organization" as const) : ("personal" as const);
    change.mutate(
      { id: view.id, name: String(data.get("name")), scope },
      {
        onSuccess: (changed) => {
          onChanged(changed);
          showToast(`View “${changed.name}” was saved.`);
        },
      },
    );
  };
  const replace = () =>
    change.mutate(
      { id: view.id, query: queryOf(params) },
      {
        onSuccess: (changed) => {
          onChanged(changed);
          showToast(`View “${view.name}” now shows the current filters.`);
        },
      },
    );
  return (
    <li className="grid gap-2 border-t py-3 first:border-t-0 first:pt-0">
      <form className="flex flex-wrap gap-2" onSubmit={rename}>
        <Input
          name="name"
          aria-label={`Name of ${view.name}`}
          defaultValue={view.name}
          required
          maxLength={100}
          className="w-auto! min-w-40 flex-1"
        />
        <Select name="scope" aria-label={`Visibility of ${view.name}`} defaultValue={view.scope} className="w-auto!">
          <option value="personal">Only you</option>
          <option value="organization">Everyone in the organization</option>
        </Select>
        <Button type="submit" className="h-8" pending={change.isPending}>
          Save view
        </Button>
      </form>
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-mono text-second text-sm">
          {new URLSearchParams(view.query).toString() || "no filters"}
        </span>
        <Button kind="quiet" onClick={replace}>
          Replace with current view
        </Button>
        {isSure ? (
          <Button
            kind="danger"
            pending={remove.isPending}
            onClick={() =>
              remove.mutate(
                { id: view.id },
                {
                  onSuccess: () => {
                    onDeleted(view);
                    showToast(`View “${view.name}” was deleted.`);
                  },
                },
              )
            }
          >
            Delete permanently
          </Button>
        ) : (
          <Button kind="quiet" aria-label={`Delete view ${view.name}`} onClick={() => setIsSure(true)}>
            Delete view
          </Button>
        )}
      </div>
      {children}
      <FormFailure error={change.error ?? remove.error} message={message} />
    </li>
  );
}
