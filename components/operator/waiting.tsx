import { countWords, lagWords } from "@/components/operator/figure-words";
import { Part } from "@/components/operator/part";
import { Data, Head, Row, Table, wrapsOnPhones } from "@/components/table/table";
import { Status, type Tone } from "@/components/ui/badge";
import type { readOutboxFigures, readSealingFigures, readSigningFigures } from "@/lib/operator/figures";
import type { StreamFigures } from "@/lib/operator/read-streams";
import { plural } from "@/lib/text/counts";

type Found<Read extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<Read>> | null;

/** A minute is what the readiness probe calls delayed. */
const DELAYED_AFTER_SECONDS = 60;

interface Line {
  name: string;
  waiting: string;
  seconds: number;
  wrong: string | null;
}

/** What waits between a request and its sealed, signed and streamed entry. */
export function Waiting({
  outbox,
  sealing,
  signing,
  streams,
}: {
  outbox: Found<typeof readOutboxFigures>;
  sealing: Found<typeof readSealingFigures>;
  signing: Found<typeof readSigningFigures>;
  streams: StreamFigures | null;
}) {
  const lines: (Line | string)[] = [
    outbox === null
      ? "Outbox"
      : {
          name: "Outbox",
          waiting: plural(Math.round(outbox.waiting), "event"),
          seconds: outbox.age,
          wrong:
            outbox.refused > 0 ? `${plural(Math.round(outbox.refused), "event was", "events were")} refused` : null,
        },
    sealing === null
      ? "Sealing"
      : {
          name: "Sealing",
          waiting: plural(Math.round(sealing.waiting), "event"),
          seconds: sealing.age,
          wrong:
            sealing.faulty > 0
              ? `${plural(Math.round(sealing.faulty), "log differs", "logs differ")} from what was sealed`
              : null,
        },
    signing === null
      ? "Signing"
      : { name: "Signing", waiting: plural(Math.round(signing.waiting), "log"), seconds: signing.age, wrong: null },
    streams === null
      ? "Streams"
      : {
          name: "Streams",
          waiting: `${countWords(streams.active)} active, ${countWords(streams.paused)} paused`,
          seconds: streams.lateSeconds,
          wrong: streams.failing > 0 ? `${countWords(streams.failing)} failing` : null,
        },
  ];
  return (
    <Part title="Waiting">
      <Table
        label="Waiting"
        head={
          <>
            <Head className="w-28 max-sm:w-20">What</Head>
            <Head>Waiting</Head>
            <Head className="w-32 max-sm:w-16">Oldest</Head>
            <Head className="w-64 max-sm:w-24">State</Head>
          </>
        }
      >
        {lines.map((line) =>
          typeof line === "string" ? (
            <Row key={line}>
              <Data className="font-medium">{line}</Data>
              <Data>—</Data>
              <Data>—</Data>
              <Data>
                <Status tone="bad">could not be read</Status>
              </Data>
            </Row>
          ) : (
            <Row key={line.name}>
              <Data className="font-medium">{line.name}</Data>
              <Data className={wrapsOnPhones}>{line.waiting}</Data>
              <Data>{lagWords(line.seconds)}</Data>
              <Data>
                <Status tone={toneOf(line)} wraps>
                  {line.wrong ?? (line.seconds > DELAYED_AFTER_SECONDS ? "delayed" : "on time")}
                </Status>
              </Data>
            </Row>
          ),
        )}
      </Table>
    </Part>
  );
}

function toneOf({ wrong, seconds }: Line): Tone {
  if (wrong !== null) return "bad";
  return seconds > DELAYED_AFTER_SECONDS ? "warn" : "good";
}
