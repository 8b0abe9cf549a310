import * as z from "zod";
import { writtenFilters } from "@/lib/audit-logs/written-filters";
import { formatLabels, formatNames } from "@/lib/destinations/formats/names";
import { destinationStateLabels } from "@/lib/destinations/labels";
import { destinationTypes, shapeOf } from "@/lib/destinations/shapes";
import { destinationStates } from "@/lib/destinations/states";
import { endpoint, id, instant, name, pageQuery, shownOnce, time, WRITE_ONLY } from "@/lib/http/endpoint";
import { withVariants } from "@/lib/http/schemas/documented";
import { labelList } from "@/lib/text/labels";

const count = z.int().nonnegative();
const type = z
  .enum(destinationTypes)
  .describe(labelList(Object.fromEntries(destinationTypes.map((each) => [each, shapeOf(each).label]))));
const format = z.enum(formatNames).describe(`How an event is written. ${labelList(formatLabels)}`);

const { since: _since, until: _until, ...eventFilters } = writtenFilters;
const query = z.strictObject(eventFilters).meta({
  id: "DestinationFilters",
  description: "Filters as in the query of GET /audit-logs, without `since` and `until`; empty for all events.",
});

/** The settings or secrets of each type. */
const byType = (part: "settings" | "secrets") =>
  Object.fromEntries(destinationTypes.map((each) => [each, shapeOf(each)[part]]));
const returned = { settings: byType("settings") };
const accepted = { settings: byType("settings"), secrets: byType("secrets") };

const destinationFields = z.strictObject({
  id,
  name: z.string(),
  type,
  target: z.string().describe("Where events go, without secrets."),
  settings: z.record(z.string(), z.unknown()).describe("Settings that are not secret."),
  secrets: z.array(z.string()).describe("Names of the secrets that are set. Their values are not returned."),
  format,
  query: z.record(z.string(), z.string()),
  state: z.enum(destinationStates).describe(labelList(destinationStateLabels)),
  paused_at: time.nullable(),
  paused_reason: z.string().nullable().describe("Why Sealwatch paused it; null if a person did, or if it is not."),
  next: z
    .strictObject({ epoch: z.int(), index: count })
    .describe(
      "The next entry of the sealed log to send. Everything before it was sent, or was said to be left out by the filters.",
    ),
  lag: z
    .strictObject({
      entries: count.describe("Signed entries that are not sent yet, and may match."),
      seconds: z.number().describe("Since the first of them was sealed; 0 if there is none."),
    })
    .nullable()
    .describe("Null while the audit database is unavailable."),
  sent_events: count,
  rejected_events: count.describe("Always 0: whatever a receiver refuses is sent again."),
  expired_entries: count.describe("Entries that retention deleted before they were sent. The stream names them."),
  expired_at: time.nullable().describe("When that happened last."),
  last_sent_at: time.nullable(),
  last_failed_at: time.nullable(),
  last_error: z
    .strictObject({
      message: z.string(),
      status: z.int().nullable().describe("HTTP status of the response."),
      answer: z.string().nullable().describe("The first bytes of the response."),
    })
    .nullable()
    .describe("Of the last failed attempt."),
  next_attempt_at: time.nullable().describe("While it is failing."),
  created_at: time,
  updated_at: time,
});

export const destination = withVariants(destinationFields.meta({ id: "Destination" }), {
  name: "Destination",
  fields: returned,
});
export type Destination = z.output<typeof destination>;

const destinationWithSecret = withVariants(
  destinationFields
    .extend({
      signing_secret: shownOnce(
        z
          .string()
          .nullable()
          .describe("The secret that signs requests, shown only once; null for types that do not sign."),
      ),
    })
    .meta({ id: "DestinationWithSecret" }),
  { name: "DestinationWithSecret", fields: returned },
);
export type DestinationWithSecret = z.output<typeof destinationWithSecret>;

const exchangePart = z.strictObject({ head: z.string(), body: z.string().describe("The first bytes, as text.") });

const destinationTest = z
  .strictObject({
    ok: z.boolean(),
    error: z.string().nullable(),
    milliseconds: count,
    exchanges: z
      .array(z.strictObject({ request: exchangePart, answer: exchangePart.nullable() }))
      .describe("What was sent and what was answered. Secrets are masked."),
  })
  .meta({ id: "DestinationTest" });
export type DestinationTest = z.output<typeof destinationTest>;

const destinationActivity = z
  .strictObject({
    hours: z
      .array(z.strictObject({ from: time, sent_events: count }))
      .describe("Events that were sent in the current hour and each of the 23 before it (UTC), oldest first."),
    errors: z
      .array(
        z.strictObject({
          message: z.string(),
          status: z.int().nullable().describe("HTTP status of the response."),
          answer: z.string().nullable().describe("The first bytes of the newest response."),
          attempts: count.describe("Consecutive attempts that failed alike."),
          first_at: time,
          last_at: time,
        }),
      )
      .describe("The last failures, newest first, at most 10. Consecutive ones with the same message are one."),
  })
  .meta({ id: "DestinationActivity" });
export type DestinationActivity = z.output<typeof destinationActivity>;

/** Values are validated by the type. */
const values = z.record(z.string(), z.unknown());
const settings = values.describe("Depends on the type.");
const secrets = values.describe(`Depends on the type. ${WRITE_ONLY}`);

const fields = z.strictObject({
  type,
  name,
  settings,
  secrets: secrets.default({}),
  format: format.optional().describe("Defaults to the first one that the type supports."),
  query: query.default({}),
});

/** Fields that stay if they are not given. */
const changedFields = z.strictObject({
  settings: settings.optional(),
  secrets: secrets.optional(),
  format: format.optional(),
  query: query.optional(),
});

const changes = withVariants(changedFields, { name: "DestinationChangesToTest", fields: accepted });

const input = withVariants(fields, { name: "DestinationToTest", fields: accepted });

const destinationInput = withVariants(
  fields.extend({
    start: z
      .enum(["now", "oldest"])
      .default("now")
      .describe("`now` sends what is sealed from now on, `oldest` also the events that are retained."),
  }),
  { name: "NewDestination", fields: accepted },
);

export const listDestinations = endpoint({
  method: "GET",
  path: "/audit-logs/destinations",
  action: "destination.list",
  summary: "Where the audit log is streamed to, newest first.",
  query: z.strictObject(pageQuery),
  data: destination,
  list: true,
});

export const createDestination = endpoint({
  method: "POST",
  path: "/audit-logs/destinations",
  action: "destination.create",
  errors: ["PLAN_LIMIT_REACHED", "CONFLICT"],
  summary: "Creates a destination. For types that sign, returns the signing secret, which is shown only once.",
  body: destinationInput,
  data: destinationWithSecret,
  status: 201,
});

export const tryDestination = endpoint({
  method: "POST",
  path: "/audit-logs/destinations/test",
  action: "destination.try",
  summary: "Sends the newest event once to a destination that is not saved, and returns the exchange.",
  body: input,
  data: destinationTest,
});

export const getDestination = endpoint({
  method: "GET",
  path: "/audit-logs/destinations/{id}",
  action: "destination.get",
  summary: "One destination.",
  data: destination,
});

export const getDestinationActivity = endpoint({
  method: "GET",
  path: "/audit-logs/destinations/{id}/activity",
  action: "destination.activity",
  summary: "What was sent within the last 24 hours, and the last failures with the receiver's responses.",
  data: destinationActivity,
});

export const updateDestination = endpoint({
  method: "PUT",
  path: "/audit-logs/destinations/{id}",
  action: "destination.update",
  summary:
    "Changes the given fields, settings and secrets; the others stay. `query` is replaced as a whole. Another origin requires the secrets again.",
  body: withVariants(changedFields.extend({ name: name.optional() }), { name: "DestinationChanges", fields: accepted }),
  data: destination,
  errors: ["CONFLICT"],
});

export const deleteDestination = endpoint({
  method: "DELETE",
  path: "/audit-logs/destinations/{id}",
  action: "destination.delete",
  summary: "Deletes a destination. What was sent stays where it is.",
  data: destination,
});

export const pauseDestination = endpoint({
  method: "POST",
  path: "/audit-logs/destinations/{id}/pause",
  action: "destination.pause",
  summary: "Stops sending. The position in the log is kept.",
  data: destination,
});

export const resumeDestination = endpoint({
  method: "POST",
  path: "/audit-logs/destinations/{id}/resume",
  action: "destination.resume",
  summary: "Sends again, from the entry at which it stopped. Also ends the wait after a failure.",
  data: destination,
});

export const replayDestination = endpoint({
  method: "POST",
  path: "/audit-logs/destinations/{id}/replay",
  action: "destination.replay",
  summary: "Sends the log again from an index, or from what was sealed at a time. Receivers get those events twice.",
  body: z
    .strictObject({
      index: count.optional().describe("The first entry to send again."),
      epoch: z.int().positive().optional().describe("Of `index`. Defaults to the current epoch."),
      since: instant.optional().describe("Instead of `index`: entries that were sealed at or after this time."),
    })
    .superRefine(({ index, epoch, since }, context) => {
      const issue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
      if ((index === undefined) === (since === undefined)) issue("index", "or since must be given, and not both");
      if (epoch !== undefined && index === undefined) issue("epoch", "is only of an index");
    }),
  data: destination,
});

export const testDestination = endpoint({
  method: "POST",
  path: "/audit-logs/destinations/{id}/test",
  action: "destination.test",
  summary:
    "Sends the newest event once, without retries, and returns the exchange. A paused destination can be tested too. Fields that are given are tried instead of the saved ones; another origin requires the secrets again.",
  body: changes,
  data: destinationTest,
});

export const rotateDestinationSecret = endpoint({
  method: "POST",
  path: "/audit-logs/destinations/{id}/rotate-secret",
  action: "destination.rotate_secret",
  summary: "Creates a new signing secret. For 24 hours, requests are signed with both secrets.",
  data: destinationWithSecret,
  errors: ["CONFLICT"],
});
