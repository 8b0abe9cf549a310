import { readFile } from "node:fs/promises";
import { expect, type Page } from "playwright/test";
import { whenSigned } from "@/e2e/audit/sealed/sealing";
import { alive, enterAs, open, toasts } from "@/e2e/journeys/steps";
import { inspect } from "@/e2e/support/inspect";
import { test } from "@/e2e/support/journey";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { sendCheckpoints } from "@/lib/anchors/send-checkpoints";
import { checkLogNow } from "@/lib/audit-logs/check/check-logs";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { AuditHold } from "@/lib/audit-logs/hold/contract";
import { verifyProof } from "@/public/sealwatch-verify.mjs";

const verdict = (page: Page) => page.getByRole("status").filter({ hasText: /^(Proved|Wrong|Not )/ });

/** A person's organization with sealed events, on the page. Returns the last of them. */
async function withSealed(page: Page, sealwatch: Sealwatch) {
  const session = await enterAs(page, sealwatch);
  await session.api.post("/audit-logs/views", { name: "Zoë 😀" });
  const { requestId } = await session.api.get("/api-keys");
  await whenSigned(session.organizationId, [requestId]);
  await open(page, "/integrity");
  return { ...session, requestId };
}

/** Presses a button or a link that downloads, and reads the file. */
async function downloaded(page: Page, press: () => Promise<void>): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return readFile(await download.path());
}

async function downloadBundle(page: Page): Promise<Buffer> {
  const button = page.getByRole("button", { name: "Download bundle" });
  await alive(button);
  await button.click();
  return downloaded(page, () => page.getByRole("dialog").getByRole("button", { name: "Download" }).click());
}

async function choose(page: Page, buffer: Buffer): Promise<void> {
  await page.getByLabel("Drop a bundle here").setInputFiles({ name: "bundle.ndjson", mimeType: "", buffer });
}

test("a bundle is verified in the browser, and a changed byte is found with the index of its entry", async ({
  page,
  sealwatch,
}) => {
  const { api, requestId } = await withSealed(page, sealwatch);
  await expect(page.getByText(/^Sealed up to #/)).toBeVisible();
  const older = await downloaded(page, () => page.getByRole("button", { name: "Download checkpoint" }).click());
  const bundle = await downloadBundle(page);

  await alive(page.getByLabel("Drop a bundle here"));
  await page.getByLabel("Older checkpoint").setInputFiles({ name: "kept.txt", mimeType: "text/plain", buffer: older });
  await choose(page, bundle);
  await expect(verdict(page)).toContainText(/Proved: \d+ entries, #0 to #\d+,/);
  await inspect(page, "a proved bundle");

  const { seal } = (await api.get<AuditEvent>(`/audit-logs/${requestId}`)).data;
  const changed = Buffer.from(bundle);
  const line = changed.indexOf(`{"id":"${requestId}"`);
  changed.write("X", changed.indexOf("/api-keys", line));
  await choose(page, changed);
  await expect(verdict(page)).toContainText(`Wrong: #${seal?.index} (${requestId}) is not the event that was sealed.`);
  await inspect(page, "a wrong bundle");

  await page
    .getByRole("textbox", { name: "Witness keys" })
    .fill(`\n${await page.getByRole("textbox", { name: "Verifier key" }).inputValue()}`);
  await choose(page, bundle);
  await expect(verdict(page)).toContainText("A key given as a witness is not the verifier key of one.");
  await page.getByRole("textbox", { name: "Witness keys" }).fill("");

  await page.getByRole("textbox", { name: "Verifier key" }).fill("example.com/other+00000000+AQ==");
  await expect(verdict(page)).toBeHidden();
  await choose(page, bundle);
  await expect(verdict(page)).not.toContainText("Proved");
});

test("the verifier and the proof of an entry are downloaded, and prove it", async ({ page, sealwatch }) => {
  const { requestId } = await withSealed(page, sealwatch);
  const verifier = await downloaded(page, () => page.getByRole("link", { name: "Download verifier" }).click());
  expect(verifier.equals(await readFile("public/sealwatch-verify.mjs"))).toBe(true);
  const vkey = await page.getByRole("textbox", { name: "Verifier key" }).inputValue();
  await open(page, `/audit-logs/${requestId}`);
  const proof = await downloaded(page, () => page.getByRole("link", { name: "Download proof" }).click());
  const entry = await downloaded(page, () => page.getByRole("link", { name: "Download entry" }).click());
  expect(await verifyProof(proof.toString(), entry.toString(), { vkey })).toMatchObject({ code: 0, open: [] });
});

test("a page that refreshes itself stays while the server is out of reach", async ({ page, sealwatch }) => {
  await withSealed(page, sealwatch);
  const refreshes: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/integrity?_rsc=")) refreshes.push(request.url());
  });
  await expect.poll(() => refreshes.length).toBeGreaterThan(0);
  let looks = 0;
  await page.route("**/healthz", async (route) => {
    looks += 1;
    await route.abort();
  });
  await expect.poll(() => looks).toBeGreaterThan(0);
  await page.route("**/integrity*", (route) => route.abort());
  const before = refreshes.length;
  await expect.poll(() => looks).toBeGreaterThan(2);
  expect(refreshes).toHaveLength(before);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.unrouteAll({ behavior: "wait" });
  await expect.poll(() => refreshes.length).toBeGreaterThan(before);
});

test("the page says why nothing is signed any more, without being opened again", { tag: "@long" }, async ({
  page,
  sealwatch,
}) => {
  const { organizationId } = await withSealed(page, sealwatch);
  const reason = "Its first 3 events are not those that were signed.";
  await query(sealwatch, "audit", "UPDATE audit_seal_logs SET refused = $2 WHERE organization_id = $1", [
    ...[organizationId, reason],
  ]);
  await expect(page.getByRole("alert").filter({ hasText: reason })).toBeVisible();
  await inspect(page, "a refusal");
});

test("a change in the database turns the page red with its entry; a bundle from before is still proved, and no new one", {
  tag: "@long",
}, async ({ page, sealwatch }) => {
  const { api, organizationId, requestId } = await withSealed(page, sealwatch);
  const before = await downloadBundle(page);
  const { seal } = (await api.get<AuditEvent>(`/audit-logs/${requestId}`)).data;
  await query(sealwatch, "audit", "UPDATE audit_events SET path = path || 'x' WHERE organization_id = $1 AND id = $2", [
    ...[organizationId, requestId],
  ]);
  expect(await checkLogNow(organizationId)).toMatchObject({ wrong: { index: seal?.index } });
  const problem = page.getByRole("alert").filter({ hasText: "The stored log does not match what was sealed." });
  await expect(problem).toContainText(`The first entry affected is #${seal?.index}.`);
  await inspect(page, "a failed self-check");
  await choose(page, before);
  await expect(verdict(page)).toContainText("Proved:");
  await choose(page, await downloadBundle(page));
  await expect(verdict(page)).toContainText(`Wrong: #${seal?.index} (${requestId}) is not the event that was sealed.`);
});

test("an admin places a legal hold, sees why a filter is refused, and releases the hold", async ({
  page,
  sealwatch,
}) => {
  const { api } = await withSealed(page, sealwatch);
  const holds = page.getByRole("region", { name: "Legal holds" });
  await holds.getByRole("link", { name: "Place hold" }).click();
  const submit = page.getByRole("button", { name: "Place hold" });
  await alive(submit);
  await submit.click();
  await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.getByRole("textbox", { name: "Name" }).fill("Case 4711");
  await page.getByRole("textbox", { name: "Reason" }).fill("Litigation");
  const filter = page.getByRole("combobox", { name: "Filter" });
  await filter.fill("method:POST status:9xx");
  await filter.press("Enter");
  const tokens = page.getByRole("list", { name: "Active filters" }).getByRole("listitem");
  await expect(tokens).toHaveText(["method POST", "status 9xx"]);
  await submit.click();
  await expect(page.getByText(/^Has a wrong "status"/)).toBeVisible();
  await inspect(page, "a refused hold");
  await page.getByRole("button", { name: "Remove the filter status" }).click();
  await page.getByLabel("From").fill("2026-01-01T00:00:00");
  await toasts(page, "The hold “Case 4711” was placed.", () => submit.click());
  const item = holds.getByRole("listitem").filter({ hasText: "Case 4711" });
  await expect(item).toContainText("Litigation");
  await expect(item.getByRole("list", { name: "Filters" }).getByRole("listitem")).toHaveText(["method POST"]);
  await expect(item.getByRole("link", { name: "View these entries" })).toHaveAttribute("href", /method=POST&since=20/);
  const [hold] = (await api.get<AuditHold[]>("/audit-logs/holds?status=active")).data;
  expect(hold).toMatchObject({ name: "Case 4711", filter: expect.stringMatching(/^method=POST&since=20/) });
  await inspect(page, "a hold");

  await item.getByRole("button", { name: "Release Case 4711" }).click();
  const release = page.getByRole("button", { name: "Release hold" });
  await toasts(page, "The hold “Case 4711” was released.", () => release.click());
  await expect(item).toContainText("released by");
  await expect(item.getByRole("button")).toHaveCount(0);
  expect((await api.get<AuditHold[]>("/audit-logs/holds?status=active")).data).toEqual([]);
});

test("a hold that is placed before the filter's code has arrived has the filter", async ({ page, sealwatch }) => {
  const { api } = await withSealed(page, sealwatch);
  await page.goto("/integrity/holds/new");
  const submit = page.getByRole("button", { name: "Place hold" });
  await alive(submit);
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route("**/_next/static/**", (route) => arrival.then(() => route.continue()));
  await page.getByRole("textbox", { name: "Name" }).fill("Case 4712");
  await page.getByRole("textbox", { name: "Reason" }).fill("Litigation");
  await page.getByRole("combobox", { name: "Filter" }).fill("method:POST");
  await toasts(page, "The hold “Case 4712” was placed.", async () => {
    await submit.click();
    arrive();
  });
  const [hold] = (await api.get<AuditHold[]>("/audit-logs/holds?status=active")).data;
  expect(hold).toMatchObject({ name: "Case 4712", filter: "method=POST" });
});

test("an admin chooses who gets checkpoints, and sees what was sent; an error is gone when the form is opened again", {
  tag: "@long",
}, async ({ page, sealwatch }) => {
  const { api } = await withSealed(page, sealwatch);
  const choose = page.getByRole("button", { name: "Choose channels…" });
  const dialog = page.getByRole("dialog", { name: "Channels for checkpoints" });
  await alive(choose);
  await choose.click();
  await expect(dialog.getByRole("link", { name: "Add one" })).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();

  const [auditor, gone] = await Promise.all(
    ["Auditor", "Gone soon"].map(async (name) => {
      const settings = { url: "https://example.com/checkpoints" };
      return (await api.post<{ id: string }>("/notification-channels", { type: "webhook", name, settings })).data;
    }),
  );
  await open(page, "/integrity");
  await alive(choose);
  await choose.click();
  await dialog.getByRole("checkbox", { name: "Gone soon" }).check();
  await api.delete(`/notification-channels/${gone?.id}`);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("is not a channel of this organization");
  await inspect(page, "a channel that was deleted meanwhile");
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await choose.click();
  await expect(dialog.getByRole("checkbox", { name: "Auditor" })).not.toBeChecked();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expect(dialog.getByRole("checkbox")).toHaveCount(1);
  await dialog.getByRole("checkbox", { name: "Auditor" }).check();
  await toasts(page, "The channels for checkpoints were saved.", () =>
    dialog.getByRole("button", { name: "Save" }).click(),
  );
  const section = page.getByRole("region", { name: "Daily checkpoints by message" });
  await expect(section.getByRole("link", { name: "Auditor" })).toHaveAttribute(
    "href",
    `/notification-channels/${auditor?.id}`,
  );
  await sendCheckpoints(new AbortController().signal);
  await expect(section).toContainText(/\d+ entries, /);
  await inspect(page, "the last checkpoint that was sent");
});

test("the body of an entry is redacted with a reason, and the entry says by which one", async ({ page, sealwatch }) => {
  const { api, organizationId } = await enterAs(page, sealwatch);
  const { requestId } = await api.post("/audit-logs/views", { name: "To be forgotten" });
  await whenSigned(organizationId, [requestId]);
  await open(page, `/audit-logs/${requestId}`);
  await expect(page.getByText('"name": "To be forgotten"')).toBeVisible();
  const button = page.getByRole("button", { name: "Redact…" });
  await alive(button);
  await button.click();
  const dialog = page.getByRole("dialog", { name: "Redact this entry?" });
  await dialog.getByLabel("Part").selectOption("Body of the request");
  await dialog.getByRole("button", { name: "Redact" }).click();
  await expect(dialog.getByText("Must not be empty.")).toBeVisible();
  await inspect(page, "a redaction without a reason");
  await dialog.getByLabel("Reason").fill("Erasure request 4711");
  await toasts(page, "The body is deleted in a few seconds.", () =>
    dialog.getByRole("button", { name: "Redact" }).click(),
  );
  await until("the body is redacted", async () => {
    const { data } = await api.get<AuditEvent>(`/audit-logs/${requestId}`);
    return (data.seal?.redaction?.body ?? null) !== null;
  });
  await page.reload();
  await expect(page.getByText("The body was redacted.")).toBeVisible();
  await inspect(page, "a redacted entry");
  await page.getByRole("link", { name: "by whom and why" }).click();
  await expect(page.getByText("Erasure request 4711").first()).toBeVisible();
});
