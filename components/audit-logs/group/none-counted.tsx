import { Time } from "@/components/time/time";

/** Says that none of the entries that were counted matches: those since `since`. */
export function NoneCounted({ since }: { since: string }) {
  return (
    <p className="px-4 py-2 text-second sm:px-5">
      None among the entries since <Time value={since} />; older ones were not counted.
    </p>
  );
}
