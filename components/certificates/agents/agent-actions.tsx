"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { AgentCommand } from "@/components/certificates/agents/agent-command";
import { useDeleteAgent, useReplaceAgentCredentials } from "@/components/certificates/queries";
import { plural } from "@/components/time/time-format";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { Dialog } from "@/components/ui/dialog";
import { showToast } from "@/components/ui/toast";
import type { Agent, AgentWithSecret } from "@/lib/certificates/agents/agent-contract";

/** The actions of an agent. */
export function AgentActions({
  agent,
  reason,
}: {
  agent: Pick<Agent, "id" | "name" | "endpoint_count">;
  reason: string | null;
}) {
  const { id, name, endpoint_count } = agent;
  const [replaced, setReplaced] = useState<AgentWithSecret | null>(null);
  const router = useRouter();
  const close = () => {
    setReplaced(null);
    router.refresh();
  };
  const inUse =
    endpoint_count === 0
      ? null
      : `It checks ${plural(endpoint_count, "endpoint")}. Choose who checks ${endpoint_count === 1 ? "it" : "them"} first.`;
  return (
    <>
      <ConfirmedButton
        kind="quiet"
        label="Replace credentials…"
        name={`Replace credentials of ${name}`}
        reason={reason}
        title={`Replace the credentials of ${name}?`}
        action="Replace credentials"
        mutation={useReplaceAgentCredentials()}
        variables={{ id }}
        onDone={setReplaced}
      >
        <p>Its API key is revoked at once. The agent reports again when you start it with the new one.</p>
      </ConfirmedButton>
      <Dialog open={replaced !== null} onOpenChange={close} title={`Start ${name}`} sticky wide>
        {replaced && <AgentCommand agent={replaced} onDone={close} />}
      </Dialog>
      <ConfirmedButton
        kind="quiet"
        label="Delete…"
        name={`Delete ${name}`}
        reason={reason ?? inUse}
        title={`Delete ${name}?`}
        action="Delete agent"
        mutation={useDeleteAgent()}
        variables={{ id }}
        onDone={() => showToast(`${name} was deleted.`)}
      >
        <p>It checks no endpoint. Its API key is revoked.</p>
      </ConfirmedButton>
    </>
  );
}
