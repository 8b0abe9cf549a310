import type { KnownValues } from "@/components/audit-logs/filters/filter-fields";
import { ShownFilters } from "@/components/audit-logs/filters/shown-filters";
import { matchingEntries } from "@/components/audit-logs/views/matching-entries";
import { formKindOf } from "@/components/destinations/kind-fields";
import { sentUpTo, stateTone, timeBehind } from "@/components/destinations/words";
import { Ago } from "@/components/time/time";
import { Status } from "@/components/ui/badge";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import type { Destination } from "@/lib/destinations/contract";
import { destinationStateLabels } from "@/lib/destinations/labels";
import { plural } from "@/lib/text/counts";

/** The state and the settings of a destination, without its secrets. */
export function DestinationFacts({ destination, known }: { destination: Destination; known: KnownValues }) {
  return (
    <div className="grid gap-x-10 lg:grid-cols-2">
      <State destination={destination} />
      <div className="max-lg:mt-3">
        <Settings destination={destination} known={known} />
      </div>
    </div>
  );
}

function State({ destination }: { destination: Destination }) {
  const { state, next, lag, last_sent_at, next_attempt_at } = destination;
  const { sent_events, expired_entries, expired_at } = destination;
  const [sent, behind] = [sentUpTo(next), timeBehind(lag)];
  return (
    <DefinitionGroup>
      <Definition name="State">
        <Status tone={stateTone[state]}>{destinationStateLabels[state]}</Status>
      </Definition>
      <Definition name="Sent up to">{sent !== null && <span className="tabular-nums">{sent}</span>}</Definition>
      <Definition name="Behind">
        {lag === null ? (
          <span className="text-second">unknown while the audit database is not available</span>
        ) : lag.entries === 0 ? (
          "nothing"
        ) : (
          <span className="tabular-nums">
            {plural(lag.entries, "entry", "entries")}, {behind}
          </span>
        )}
      </Definition>
      <Definition name="Last sent">{last_sent_at && <Ago value={last_sent_at} />}</Definition>
      {next_attempt_at !== null && (
        <Definition name="Next attempt">
          <Ago value={next_attempt_at} />
        </Definition>
      )}
      <Definition name="Sent">
        <span className="tabular-nums">{plural(sent_events, "event")}</span>
      </Definition>
      {expired_entries > 0 && (
        <Definition name="Expired">
          <span className="text-bad tabular-nums">{plural(expired_entries, "entry", "entries")}</span>
          <span className="text-second">
            {" "}
            · before they were sent{expired_at !== null && ", last "}
            {expired_at !== null && <Ago value={expired_at} />}
          </span>
        </Definition>
      )}
    </DefinitionGroup>
  );
}

function Settings({ destination, known }: { destination: Destination; known: KnownValues }) {
  const { type, target, settings, secrets, format, query } = destination;
  const kind = formKindOf(type);
  return (
    <DefinitionGroup>
      <Definition name="To" mono>
        {target}
      </Definition>
      <Definition name="Format">{kind.formats.find(({ value }) => value === format)?.label ?? format}</Definition>
      <Definition name="Filter">
        {Object.keys(query).length === 0 ? (
          <span className="text-second">none: all entries</span>
        ) : (
          <ShownFilters filters={query} known={known} href={`/audit-logs?${matchingEntries(query)}`} />
        )}
      </Definition>
      {kind.fields.map(({ part, name, label, control, choices }) => {
        // Already shown as where it sends to.
        if (settings[name] === target) return null;
        const value = settings[name];
        const isSet = value !== null && value !== undefined && value !== "";
        const choice = choices.find((each) => each.value === value);
        if (part === "settings" && !isSet) return null;
        if (part === "secrets" && !secrets.includes(name)) return null;
        return (
          <Definition
            key={`${part}.${name}`}
            name={label}
            mono={part === "settings" && control !== "lines" && choice === undefined}
          >
            {part === "secrets" ? (
              <span className="text-second">set, never shown</span>
            ) : control === "lines" ? (
              <span className="text-second">set</span>
            ) : (
              (choice?.label ?? String(value))
            )}
          </Definition>
        );
      })}
      {kind.isSigned && (
        <Definition name="Signature">
          <span className="text-second">Standard Webhooks, with a secret that is never shown</span>
        </Definition>
      )}
    </DefinitionGroup>
  );
}
