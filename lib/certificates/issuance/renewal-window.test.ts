import "reflect-metadata";
import { beforeAll, describe, expect, test } from "vitest";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import {
  followWindow,
  judgeMoved,
  type KnownWindow,
  type RenewalWindow,
} from "@/lib/certificates/issuance/renewal-window";
import { judgeRenewal } from "@/lib/certificates/judge/judge-renewal";
import { type Certificate, parseCertificate } from "@/lib/certificates/x509/x509";

const NOW = new Date();
const days = (count: number) => new Date(NOW.getTime() + count * 86_400_000);
const between = (from: number, to: number): RenewalWindow => ({ start: days(from), end: days(to) });
/** 90 days, of which 60 are left. */
const validity = { notBefore: days(-30), notAfter: days(60) };

describe("a window", () => {
  const usual = followWindow(null, between(29, 31), validity, NOW);

  test("is the usual one when first seen, and while it changes little", () => {
    expect(usual).toEqual({ window: between(29, 31), usual: between(29, 31), moved: null });
    const later = followWindow(usual, between(28, 30), validity, NOW);
    expect(later).toEqual({ window: between(28, 30), usual: between(28, 30), moved: null });
    expect(followWindow(later, between(40, 41), validity, NOW).moved).toBeNull();
  });

  test("is moved forward if it ends before the usual one begins, and keeps what was seen first", () => {
    const moved = followWindow(usual, between(-1, -0.5), validity, NOW);
    expect(moved.moved).toEqual({ from: between(29, 31), to: between(-1, -0.5), at: NOW });
    const again = followWindow(moved, between(0, 0.5), validity, days(1));
    expect(again).toEqual({ window: between(0, 0.5), usual: between(29, 31), moved: moved.moved });
    expect(followWindow(again, between(29, 31), validity, days(2)).moved).toBeNull();
  });

  test("is moved forward at first sight within the first third of the lifetime", () => {
    expect(followWindow(null, between(-2, -1), validity, NOW).moved).toEqual({
      from: null,
      to: between(-2, -1),
      at: NOW,
    });
    expect(followWindow(null, between(-1, 1), validity, NOW).moved).toBeNull();
  });
});

describe("findings", () => {
  let leaf: Certificate;
  beforeAll(async () => {
    leaf = parseCertificate((await makeCertificate({ name: "good.test", fromDays: -70, untilDays: 20 })).der);
  });
  const known = (window: RenewalWindow, more: Partial<KnownWindow> = {}): KnownWindow => ({
    ...{ sha256: leaf.sha256, window, moved: null, explanationUrl: null, ...more },
  });

  test("a renewal is overdue when its window is over, whatever is left of the lifetime", () => {
    expect(judgeRenewal(leaf, null, null, NOW)).toMatchObject({ code: "renewal_overdue" });
    expect(judgeRenewal(leaf, null, known(between(-1, 1)), NOW)).toBeNull();
    expect(judgeRenewal(leaf, null, known(between(-3, -2)), NOW)).toMatchObject({
      code: "renewal_overdue",
      evidence: { due_since: days(-3).toISOString(), window_end: days(-2).toISOString() },
    });
    const moved = { from: null, to: between(-3, -2), at: NOW };
    expect(judgeRenewal(leaf, null, known(between(-3, -2), { moved }), NOW)).toBeNull();
    // A window after the expiry says nothing.
    expect(judgeRenewal(leaf, null, known(between(30, 40)), NOW)).toMatchObject({ code: "renewal_overdue" });
  });

  test("a window that was moved forward is critical until the certificate expires", () => {
    const moved = { from: between(5, 6), to: between(-2, -1), at: days(-1) };
    const forward = known(between(-2, -1), { moved, explanationUrl: "https://ca.example/why" });
    expect(judgeMoved(leaf, known(between(-2, -1)), NOW)).toBeNull();
    expect(judgeMoved(leaf, null, NOW)).toBeNull();
    expect(judgeMoved(leaf, forward, days(21))).toBeNull();
    expect(judgeMoved(leaf, forward, NOW)).toEqual({
      code: "renewal_moved_forward",
      severity: "critical",
      evidence: {
        from: { start: days(5).toISOString(), end: days(6).toISOString() },
        to: { start: days(-2).toISOString(), end: days(-1).toISOString() },
        seen_at: days(-1).toISOString(),
        explanation_url: "https://ca.example/why",
      },
    });
  });
});
