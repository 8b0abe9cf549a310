import { describe, expect, test } from "vitest";
import { errorResponse } from "@/lib/api/respond";
import { ApiError, type ErrorCode, errorStatus, invalid, isApiError, notFound, toApiError } from "@/lib/http/errors";

const REQUEST_ID = "01a1fcff-6680-7420-917f-1d9e34253279";

describe("errors", () => {
  test("are the closed list of the contract, plus the code for clients that disconnected", () => {
    expect(errorStatus).toEqual({
      INVALID_REQUEST: 400,
      UNAUTHENTICATED: 401,
      INVALID_API_KEY: 401,
      API_KEY_EXPIRED: 401,
      API_KEY_REVOKED: 401,
      PLAN_LIMIT_REACHED: 402,
      METHOD_NOT_ALLOWED: 403,
      INVALID_SIGNATURE: 403,
      IP_NOT_ALLOWED: 403,
      OUT_OF_SCOPE: 403,
      CROSS_SITE_REQUEST: 403,
      NOT_FOUND: 404,
      METHOD_NOT_SUPPORTED: 405,
      CONFLICT: 409,
      NOT_SEALED_YET: 409,
      REPORT_EXPIRED: 409,
      REPORT_REPLAYED: 409,
      PRECONDITION_FAILED: 412,
      BODY_TOO_LARGE: 413,
      UNSUPPORTED_MEDIA_TYPE: 415,
      RATE_LIMITED: 429,
      CLIENT_CLOSED_REQUEST: 499,
      INTERNAL_ERROR: 500,
      UNAVAILABLE: 503,
    });
  });

  test.each(Object.entries(errorStatus) as [ErrorCode, number][])("%s has status %i", async (code, status) => {
    const response = errorResponse(new ApiError(code, "Because."), REQUEST_ID, "POST");
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(await response.json()).toEqual({ error: { code, message: "Because.", request_id: REQUEST_ID } });
  });

  test("have the same seconds to wait in the header and the body", async () => {
    const response = errorResponse(new ApiError("RATE_LIMITED", "Wait.", { retry_after: 12 }), REQUEST_ID, "GET");
    expect(response.headers.get("Retry-After")).toBe("12");
    expect(await response.json()).toMatchObject({ error: { retry_after: 12 } });
  });

  test("carry their own headers", () => {
    const error = new ApiError("METHOD_NOT_SUPPORTED", "No.", {}, { Allow: "GET" });
    expect(errorResponse(error, REQUEST_ID, "PUT").headers.get("Allow")).toBe("GET");
  });

  test("have no body in a response to HEAD", async () => {
    const response = errorResponse(notFound(), REQUEST_ID, "HEAD");
    expect([response.status, await response.text()]).toEqual([404, ""]);
  });

  test("name the invalid field", () => {
    expect(invalid("until", "must be after since")).toMatchObject({
      code: "INVALID_REQUEST",
      message: "until: must be after since",
      details: { issues: [{ path: "until", message: "must be after since" }] },
    });
  });

  test("for a missing resource reveal nothing about existing resources", () => {
    expect(notFound().message).toBe("There is no such resource.");
  });
});

test.each([
  ["a refusal", notFound(), "NOT_FOUND", {}],
  ["a lost connection", new Error("Connection terminated unexpectedly"), "UNAVAILABLE", { retry_after: 5 }],
  ["a commit without answer", new Error("x", { cause: { code: "ECONNRESET" } }), "UNAVAILABLE", { retry_after: 5 }],
  ["a mistake of our own", new TypeError("undefined is not a function"), "INTERNAL_ERROR", {}],
])("of %s the caller receives its code, and nothing secret", (_, error, code, details) => {
  const answer = toApiError(error);
  expect(answer).toMatchObject({ code, details });
  if (!isApiError(error)) expect(answer.message).not.toContain(error.message);
});

test("an error of the class's other copy in this process is known", () => {
  const other = class ApiError extends Error {
    override readonly name = "ApiError";
  };
  expect([new ApiError("CONFLICT", ""), new other("x"), new Error("x"), "ApiError"].map(isApiError)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
