"use client";

import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { AgentCommand } from "@/components/certificates/agents/agent-command";
import { useCreateAgent } from "@/components/certificates/queries";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { Dialog } from "@/components/ui/dialog";
import { Field, focusEmpty, Input } from "@/components/ui/field";
import { GuardedButton } from "@/components/ui/guarded-button";
import type { AgentWithSecret } from "@/lib/certificates/agents/agent-contract";

/** The button that adds an agent: first its name, then the command, shown once. */
export function AddAgent({ reason }: { reason: string | null }) {
  const [open, setOpen] = useState(false);
  const [agent, setAgent] = useState<AgentWithSecret | null>(null);
  const router = useRouter();
  const close = () => {
    setOpen(false);
    if (agent !== null) router.refresh();
    setAgent(null);
  };
  return (
    <>
      <GuardedButton kind="primary" reason={reason} onClick={() => setOpen(true)}>
        <Plus size={14} aria-hidden="true" />
        Add agent
      </GuardedButton>
      <Dialog
        open={open}
        onOpenChange={close}
        title={agent === null ? "Add an agent" : `Start ${agent.name}`}
        description={agent === null ? "A program that checks endpoints inside your network." : undefined}
        sticky={agent !== null}
        wide={agent !== null}
      >
        {agent === null ? (
          <AgentForm onCreated={setAgent} onCancel={close} />
        ) : (
          <AgentCommand agent={agent} onDone={close} />
        )}
      </Dialog>
    </>
  );
}

function AgentForm({ onCreated, onCancel }: { onCreated: (agent: AgentWithSecret) => void; onCancel: () => void }) {
  const create = useCreateAgent();
  const failure = failureOf(create.error, ["name"]);
  const [name, setName] = useState("");

  function submit(event: FormEvent) {
    event.preventDefault();
    create.mutate({ name }, { onSuccess: onCreated });
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <Field label="Name" hint="The network or machine that it runs in." error={failure.fields.name}>
        {(control) => (
          <Input
            {...control}
            required
            ref={focusEmpty}
            placeholder="Office"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <FormEnd
        error={create.error}
        message={failure.message}
        action="Add agent"
        pending={create.isPending}
        onCancel={onCancel}
      />
    </form>
  );
}
