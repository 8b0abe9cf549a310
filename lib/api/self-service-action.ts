import { cookies } from "next/headers";
import type { NextRequest } from "next/server";
import * as z from "zod";
import { errorResponse, jsonResponse } from "@/lib/api/respond";
import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { findSession } from "@/lib/auth/find-session";
import { record, refuseCrossSite } from "@/lib/auth/identify";
import { cookieName, sessionIdOf } from "@/lib/auth/session-cookie";
import { logFailure } from "@/lib/db/outage-log";
import type { Action } from "@/lib/http/actions";
import { ApiError, isApiError, toApiError } from "@/lib/http/errors";
import { issuesOf } from "@/lib/http/input";
import { clientOf } from "@/lib/http/origin";
import type { Actor } from "@/lib/http/principal";

type Person = Actor & { type: "user" };

/**
 * An action that people perform on themselves rather than within an organization, such as joining or leaving one, so that no
 * organization's permission is required. Accepted only with a session and only from our own pages; each action has its own event.
 */
export function selfServiceAction<Body extends z.ZodType, Data>(
  action: Action,
  body: Body,
  work: (person: Person, event: AuditEventDraft, input: z.output<Body>) => Promise<Data>,
): (request: NextRequest) => Promise<Response> {
  return async (request) => {
    let requestId = "";
    try {
      const answer = await withAuditEvent({ action }, async (event) => {
        requestId = event.id;
        Object.assign(event.row, { auth_type: "anonymous", ...clientOf() });
        const person = await personOf(request, event);
        return work(person, event, await read(request, body));
      });
      return jsonResponse(200, { data: answer }, { "Cache-Control": "no-store" });
    } catch (error) {
      if (!isApiError(error)) logFailure("a self-service action failed", error, { request_id: requestId });
      return errorResponse(toApiError(error), requestId, request.method);
    }
  };
}

async function personOf(request: NextRequest, event: AuditEventDraft): Promise<Person> {
  const sessionId = await sessionIdOf((await cookies()).get(cookieName("session"))?.value);
  const session = sessionId === null ? null : await findSession(sessionId);
  const actor = session?.principal.actor;
  if (session === null || actor?.type !== "user") {
    throw new ApiError("UNAUTHENTICATED", "The session has ended. Sign in again.");
  }
  record(event, session.principal, session.plan);
  const refusal = refuseCrossSite(Object.fromEntries(request.headers));
  if (refusal !== null) {
    event.flag(refusal.flag);
    throw refusal.error;
  }
  return actor;
}

async function read<Body extends z.ZodType>(request: NextRequest, body: Body): Promise<z.output<Body>> {
  const parsed = body.safeParse(await request.json().catch(() => null));
  if (parsed.success) return parsed.data;
  throw new ApiError("INVALID_REQUEST", "The body is invalid.", { issues: issuesOf(parsed.error) });
}

export const tokenBody = z.strictObject({ token: z.string().max(100) });
export const organizationBody = z.strictObject({ organization_id: z.uuid() });
