import Link from "next/link";
import { ChooseAnchors } from "@/components/integrity/choose-anchors";
import { readAnchorChoices } from "@/components/integrity/read-anchors";
import { readOnlyReason } from "@/components/states/read-only";
import { Ago } from "@/components/time/time";
import { Status } from "@/components/ui/badge";
import type { Anchors as AnchorList } from "@/lib/anchors/contract";
import type { Principal } from "@/lib/http/principal";
import { plural } from "@/lib/text/counts";

type Channel = AnchorList["channels"][number];

/** The channels that get the newest checkpoint each day, what each was sent last, and the form that chooses them. */
export async function Anchors({ principal }: { principal: Principal }) {
  const { channels, choices } = await readAnchorChoices(principal);
  return (
    <section className="border-t py-3" aria-labelledby="anchors">
      <div className="mb-1 flex items-center justify-between gap-4">
        <h2 id="anchors" className="font-medium">
          Daily checkpoints by message
        </h2>
        <ChooseAnchors
          chosen={channels.map(({ id }) => id)}
          choices={choices}
          reason={readOnlyReason(principal.permission)}
        />
      </div>
      {channels.length === 0 ? (
        <p className="text-pretty text-second">
          Checkpoints are not sent to anybody yet. Choose channels for e-mail or webhooks: each receives the newest
          checkpoint every day. As long as somebody keeps it, nothing before it can be changed without a trace.
        </p>
      ) : (
        <ul className="grid gap-1">
          {channels.map((channel) => (
            <li key={channel.id} className="flex flex-wrap items-baseline gap-x-2">
              <Link
                prefetch={false}
                href={`/notification-channels/${channel.id}`}
                className="min-w-0 break-words text-seal underline"
              >
                {channel.name}
              </Link>
              <LastSent channel={channel} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function LastSent({ channel: { last_sent, state } }: { channel: Channel }) {
  const isDisabled = state === "disabled";
  if (last_sent === null) {
    return (
      <span className="text-second">{isDisabled ? "the channel is disabled" : "gets the first within minutes"}</span>
    );
  }
  const { size, at, status } = last_sent;
  return (
    <>
      <span className="text-second tabular-nums">
        {plural(size, "entry", "entries")}, <Ago value={at} />
      </span>
      {status === "failed" && <Status tone="bad">Not delivered</Status>}
      {status === "pending" && <Status tone="warn">Being sent</Status>}
      {isDisabled && <Status tone="warn">Disabled</Status>}
    </>
  );
}
