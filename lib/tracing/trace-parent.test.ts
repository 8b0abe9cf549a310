import { describe, expect, test } from "vitest";
import { parseTraceParent } from "@/lib/tracing/trace-parent";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const VALID = `00-${TRACE}-${SPAN}-01`;

describe("a traceparent", () => {
  test.each([
    [VALID, 1],
    [`00-${TRACE}-${SPAN}-00`, 0],
    [`00-${TRACE}-${SPAN}-ff`, 255],
    [`01-${TRACE}-${SPAN}-01`, 1],
    [`cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`, 1],
  ])("%s is read", (header, flags) => {
    expect(parseTraceParent(header)).toEqual({ traceId: TRACE, spanId: SPAN, flags });
  });

  test.each([
    ["nothing", undefined],
    ["an empty one", ""],
    ["several", [VALID, VALID]],
    ["several, as Node.js joins them", `${VALID}, ${VALID}`],
    ["zeros for the trace", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["zeros for the span", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["upper case", VALID.toUpperCase()],
    ["one upper-case digit", `00-${TRACE.replace("b", "B")}-${SPAN}-01`],
    ["version ff", `ff-${TRACE}-${SPAN}-01`],
    ["a version that is not a number", `0g-${TRACE}-${SPAN}-01`],
    ["a further field in version 00", `${VALID}-01`],
    ["a dash at the end", `${VALID}-`],
    ["further digits in a later version", `01-${TRACE}-${SPAN}-01ab`],
    ["a trace id that is too short", `00-${TRACE.slice(1)}-${SPAN}-01`],
    ["a trace id that is too long", `00-${TRACE}0-${SPAN}-01`],
    ["a span id that is too short", `00-${TRACE}-${SPAN.slice(1)}-01`],
    ["flags that are too short", `00-${TRACE}-${SPAN}-1`],
    ["no flags", `00-${TRACE}-${SPAN}`],
    ["spaces", ` ${VALID} `],
    ["a line break at the end", `${VALID}\n`],
    ["other separators", VALID.replaceAll("-", "_")],
    ["other digits of Unicode", VALID.replace("4", "４")],
    ["10 kB", "0".repeat(10_240)],
    ["10 kB after a valid one of a later version", `01-${TRACE}-${SPAN}-01-${"a".repeat(10_240)}`],
  ])("with %s is ignored", (_, header) => {
    expect(parseTraceParent(header)).toBeNull();
  });
});
