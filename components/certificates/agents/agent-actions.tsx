"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { AgentCommand } from "@/components/certificates/agents/agent-command";
import { useDeleteAgent, useReplaceAgentCredentials } from "@/components/certificates/queries";
import { forgetError } from "@/components/requests/forget-error";
import { RowMenu } from "@/components/table/row-menu";
import { Confirm } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { MenuItem } from "@/components/ui/menu";
import { showToast } from "@/components/ui/toast";
import type { Agent, AgentWithSecret } from "@/lib/certificates/agents/agent-contract";
import { plural } from "@/lib/text/counts";

/** The actions of an agent. */
export function AgentActions({
  agent,
  reason,
}: {
  agent: Pick<Agent, "id" | "name" | "endpoint_count">;
  reason: string | null;
}) {
  const { id, name, endpoint_count } = agent;
  const [action, setAction] = useState<"replace" | "delete" | null>(null);
  const [replaced, setReplaced] = useState<AgentWithSecret | null>(null);
  const replace = useReplaceAgentCredentials();
  const remove = useDeleteAgent();
  const router = useRouter();
  const ask = (next: "replace" | "delete") => {
    forgetError(next === "replace" ? replace : remove);
    setAction(next);
  };
  const close = () => {
    setReplaced(null);
    router.refresh();
  };
  const inUse =
    endpoint_count === 0
      ? null
      : `It checks ${plural(endpoint_count, "endpoint")}. Choose who checks ${endpoint_count === 1 ? "it" : "them"} first.`;
  const why = reason ?? inUse;
  const onReplaced = (withSecret: AgentWithSecret) => {
    setAction(null);
    setReplaced(withSecret);
  };
  const onDeleted = () => {
    setAction(null);
    showToast(`${name} was deleted.`);
  };
  return (
    <>
      <RowMenu name={name} reason={why}>
        <MenuItem disabled={reason !== null} onSelect={() => ask("replace")}>
          Replace credentials…
        </MenuItem>
        <MenuItem danger={why === null} disabled={why !== null} onSelect={() => ask("delete")}>
          Delete…
        </MenuItem>
      </RowMenu>
      <Confirm
        open={action === "replace"}
        onOpenChange={() => setAction(null)}
        title={`Replace the credentials of ${name}?`}
        action="Replace credentials"
        pending={replace.isPending}
        error={replace.error}
        onConfirm={() => replace.mutate({ id }, { onSuccess: onReplaced })}
      >
        <p>Its API key is revoked immediately. The agent reports again when you start it with the new key.</p>
      </Confirm>
      <Dialog open={replaced !== null} onOpenChange={close} title={`Start ${name}`} sticky wide>
        {replaced && <AgentCommand agent={replaced} onDone={close} />}
      </Dialog>
      <Confirm
        open={action === "delete"}
        onOpenChange={() => setAction(null)}
        title={`Delete ${name}?`}
        action="Delete agent"
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id }, { onSuccess: onDeleted })}
      >
        <p>It checks no endpoint. Its API key is revoked.</p>
      </Confirm>
    </>
  );
}
