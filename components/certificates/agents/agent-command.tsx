"use client";

import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { DialogButtons } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { AgentWithSecret } from "@/lib/certificates/agents/agent-contract";

/** The commands that start an agent, with its secret, shown once. */
export function AgentCommand({ agent, onDone }: { agent: AgentWithSecret; onDone: () => void }) {
  const { origin } = window.location;
  return (
    <div className="grid gap-4">
      <Note tone="warn">
        This is the only time the agent’s API key is shown. If you lose it, replace the agent’s credentials.
      </Note>
      <section>
        <h3 className="mb-1 font-medium">Get the program (Node.js 20 or newer)</h3>
        <CodeBlock text={`curl --fail --remote-name ${origin}/sealwatch-agent.mjs`} what="the download" wrap />
      </section>
      <section>
        <h3 className="mb-1 font-medium">Run it inside your network</h3>
        <CodeBlock
          text={`SEALWATCH_API_KEY=${agent.secret} node sealwatch-agent.mjs --url ${origin} --agent ${agent.id} --state ./sealwatch-agent`}
          what="the command"
          wrap
        />
      </section>
      <p className="text-pretty text-second">
        Keep the agent’s state folder: it contains its signing key. Then choose the agent under “Checked by” in the
        settings of your endpoints.
      </p>
      <DialogButtons>
        <Button kind="primary" onClick={onDone}>
          I have stored the command
        </Button>
      </DialogButtons>
    </div>
  );
}
