"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { remember } from "@/components/layout/remember";
import { NameDialog } from "@/components/organizations/name-dialog";
import { useCreateOrganization, useUpdateOrganization } from "@/components/organizations/queries";
import { GuardedButton } from "@/components/ui/guarded-button";
import { showToast } from "@/components/ui/toast";

/** Renames the organization. */
export function RenameOrganization({ id, name, reason }: { id: string; name: string; reason: string | null }) {
  const [open, setOpen] = useState(false);
  const update = useUpdateOrganization();
  const close = () => {
    setOpen(false);
    update.reset();
  };
  const onSuccess = () => {
    showToast("The organization was renamed.");
    close();
  };
  return (
    <>
      <GuardedButton reason={reason} onClick={() => setOpen(true)}>
        Rename…
      </GuardedButton>
      {open && (
        <NameDialog
          title="Rename the organization"
          action="Rename organization"
          initial={name}
          pending={update.isPending}
          error={update.error}
          onSubmit={(next) => update.mutate({ id, name: next }, { onSuccess })}
          onClose={close}
        />
      )}
    </>
  );
}

/** Creates another organization and opens it. */
export function NewOrganization({ cookie, reason }: { cookie: string; reason: string | null }) {
  const [open, setOpen] = useState(false);
  const create = useCreateOrganization();
  const close = () => {
    setOpen(false);
    create.reset();
  };
  return (
    <>
      <GuardedButton reason={reason} onClick={() => setOpen(true)}>
        <Plus size={14} aria-hidden="true" />
        Create organization
      </GuardedButton>
      {open && (
        <NameDialog
          title="Create an organization"
          action="Create organization"
          initial=""
          pending={create.isPending || create.isSuccess}
          error={create.error}
          onSubmit={(name) =>
            create.mutate(
              { name },
              {
                onSuccess: ({ id }) => {
                  remember(cookie, id);
                  window.location.assign("/");
                },
              },
            )
          }
          onClose={close}
        />
      )}
    </>
  );
}
