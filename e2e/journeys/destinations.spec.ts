import { expect, type Page } from "playwright/test";
import { eventsIn, takenBy } from "@/e2e/audit/destinations/streaming";
import { whenSigned } from "@/e2e/audit/sealed/sealing";
import { alive, enterAs, open, sees, toasts } from "@/e2e/journeys/steps";
import { inspect } from "@/e2e/support/inspect";
import { test } from "@/e2e/support/journey";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { newSink } from "@/e2e/support/stand-ins/sink";
import { until } from "@/e2e/support/until";
import type { Destination } from "@/lib/destinations/contract";

/** A person's organization with sealed events. */
async function withSealed(page: Page, sealwatch: Sealwatch) {
  const session = await enterAs(page, sealwatch);
  const { requestId } = await session.api.get("/api-keys");
  await whenSigned(session.organizationId, [requestId]);
  return session;
}

for (const [look, width] of [
  ["wide", 1440],
  ["narrow", 390],
] as const) {
  test.describe(look, { tag: look === "narrow" ? ["@long"] : [] }, () => {
    const isNarrow = look === "narrow";
    test.use({
      viewport: { width, height: isNarrow ? 844 : 900 },
      isMobile: isNarrow,
      hasTouch: isNarrow,
    });

    test("a destination is tested, added, paused, replayed and deleted", async ({ page, sealwatch }) => {
      const { api } = await withSealed(page, sealwatch);
      const [sink, other] = [await newSink(), await newSink()];
      sink.act = { status: 422, body: "no such index" };
      const button = (name: string) => page.getByRole("button", { name, exact: true });
      const dialog = page.getByRole("dialog");
      const hasIndex = (index: number, from = 0) =>
        eventsIn(takenBy({ ...sink, taken: sink.taken.slice(from) })).some(({ seal }) => seal.index === index);

      await test.step("the gallery leads to the form", async () => {
        await open(page, "/destinations");
        const gallery = page.getByRole("list", { name: "Kinds of destinations" });
        await expect(gallery).toContainText("Address and token of an HTTP Event Collector");
        await inspect(page, "the gallery");
        await gallery.getByRole("link", { name: "HTTPS" }).click();
        await expect(page.getByRole("heading", { level: 1, name: "HTTPS" })).toBeVisible();
      });

      await test.step("a test that fails shows the request and the answer, and what is wrong with a field", async () => {
        await alive(button("Send test"));
        await page.getByLabel("Name").fill("Collector");
        await page.getByLabel("URL").fill("ftp://example.com");
        await button("Send test").click();
        await expect(page.getByText("Must be an http or https URL")).toBeVisible();
        await page.getByLabel("URL").fill(`${sink.url}/audit`);
        await page.getByLabel("Authorization").fill("Bearer of-the-sink");
        await button("Send test").click();
        await expect(page.getByText(/^The test failed after .*: HTTP status 422\.$/)).toBeVisible();
        const request = page.getByRole("heading", { name: "Request" }).locator("..");
        await expect(request).toContainText("POST /audit HTTP/1.1");
        await expect(request).toContainText("authorization: [secret]");
        await expect(request).toContainText(`content-length: ${sink.arrivals[0]?.body.length}`);
        await expect(request).toContainText('"seal"');
        await expect(page.getByRole("heading", { name: "Response" }).locator("..")).toContainText("no such index");
        await expect(button("Add anyway")).toBeVisible();
        await inspect(page, "a failed test");
      });

      await test.step("a destination can be added after a test that succeeds, and its signing secret is shown once", async () => {
        sink.act = 200;
        await button("Test again").click();
        await expect(page.getByText(/^The receiver accepted the newest event/)).toBeVisible();
        await page.getByLabel("Start").selectOption("With the oldest entry that is kept");
        await inspect(page, "a test that succeeded");
        await button("Add destination").click();
        await expect(page.getByText(/^whsec_/)).toBeVisible();
        await inspect(page, "the signing secret");
        await button("I have stored the secret").click();
        await expect(page.getByRole("heading", { level: 1, name: "Collector" })).toBeVisible();
      });

      const [{ id } = { id: "" }] = (await api.get<Destination[]>("/audit-logs/destinations")).data;
      const path = `/destinations/${id}`;
      await test.step("its page shows how far it is", async () => {
        await until("the first entry is taken", async () => hasIndex(0));
        await sees(page, path, async (timeout) => {
          await expect(page.getByText("Working", { exact: true })).toBeVisible({ timeout });
        });
        await expect(page.getByText(/events? in the last 24 hours/)).toBeVisible();
        await inspect(page, "a working destination");
      });

      await test.step("another origin asks for the secret again", async () => {
        await page.getByRole("link", { name: "Edit", exact: true }).click();
        await expect(page.getByRole("heading", { level: 1, name: "Edit Collector" })).toBeVisible();
        await alive(page.getByLabel("URL"));
        await page.getByLabel("URL").fill(`${other.url}/audit`);
        await button("Send test").click();
        await expect(page.getByText(/^Must be given again because/)).toBeVisible();
        expect(other.arrivals).toEqual([]);
        await inspect(page, "a secret that is asked for again");
        await page.getByLabel("URL").fill(`${sink.url}/elsewhere`);
        await button("Send test").click();
        await expect(page.getByText(/^The receiver accepted the newest event/)).toBeVisible();
        await toasts(page, "Collector was saved.", () => button("Save").click());
        await expect(page.getByRole("heading", { level: 1, name: "Collector", exact: true })).toBeVisible();
      });

      await test.step("paused, it sends nothing; replayed, it begins again at the chosen entry", async () => {
        await alive(button("Pause"));
        await toasts(page, "Collector was paused.", () => button("Pause").click());
        await expect(page.getByText("A person paused this destination.")).toBeVisible();
        const before = sink.taken.length;
        await button("Replay…").click();
        await dialog.getByLabel("Index").first().fill("1000000");
        await dialog.getByRole("button", { name: "Replay" }).click();
        await expect(dialog.getByText(/^Must be less than \d+\./)).toBeVisible();
        await dialog.getByLabel("Index").first().fill("0");
        await expect(dialog).toContainText(/Sends \d+ entries again\./);
        await inspect(page, "replay");
        const replay = dialog.getByRole("button", { name: "Replay" });
        await toasts(page, "Collector starts from there when it is resumed.", () => replay.click());
        expect(sink.taken.length).toBe(before);
        await toasts(page, "Collector sends again.", () => button("Resume").click());
        await until("the first entry is taken again", async () => hasIndex(0, before));
        await button("Replay…").click();
        await dialog.getByLabel("With entries sealed since a time").check();
        await dialog.getByRole("button", { name: "Replay" }).click();
        await expect(dialog).toBeHidden();
      });

      await test.step("a test from its page, and the errors with their answers", async () => {
        sink.act = { status: 503, body: "full" };
        await button("Send test").click();
        await expect(dialog).toContainText("HTTP status 503");
        await inspect(page, "a test of a saved destination");
        await dialog.getByRole("button", { name: "Close" }).first().click();
        await api.get("/api-keys");
        await sees(page, path, async (timeout) => {
          await expect(page.getByText("Failing", { exact: true })).toBeVisible({ timeout });
        });
        const errors = page.getByRole("region", { name: "Last errors" });
        await expect(errors).toContainText("HTTP status 503");
        await expect(errors).toContainText("full");
        await expect(page.getByRole("table", { name: "History" })).toContainText("Collector");
        await inspect(page, "a failing destination");
        await open(page, "/destinations");
        await expect(page.getByRole("table", { name: "Destinations" })).toContainText("Failing");
        await inspect(page, "the list of destinations");
      });

      await test.step("deleted, the gallery is back", async () => {
        await page.getByRole("link", { name: "Collector" }).click();
        await alive(button("Delete…"));
        await button("Delete…").click();
        const confirm = dialog.getByRole("button", { name: "Delete destination" });
        await toasts(page, "Collector was deleted.", () => confirm.click());
        await expect(page.getByRole("list", { name: "Kinds of destinations" })).toBeVisible();
        expect((await api.get(`/audit-logs/destinations/${id}`)).status).toBe(404);
      });
      sink.close();
      other.close();
    });
  });
}

test("the filters of the log are kept sending from its export, changed in the form, and found again", async ({
  page,
  sealwatch,
}) => {
  const { api } = await withSealed(page, sealwatch);
  const sink = await newSink();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await open(page, "/audit-logs?status=4xx&range=30d");
  await alive(button("Export"));
  await button("Export").click();
  await page.getByRole("dialog").getByRole("link", { name: "Send new entries" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "New destination" })).toBeVisible();
  await page.getByRole("link", { name: "HTTPS" }).click();
  const filters = page.getByRole("list", { name: "Active filters" });
  await expect(filters.getByRole("listitem")).toHaveText(["status 4xx", "via is not reads in the dashboard"]);

  const box = page.getByRole("combobox", { name: "Filter" });
  await alive(button("Send test"));
  await button("Remove the filter via").click();
  await box.fill("method:pos");
  const suggestions = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
  await suggestions.getByText("POST").click();
  await box.fill("yesterday");
  await expect(suggestions).toHaveText(["text “yesterday”"]);
  await box.fill("");
  await page.getByLabel("Name").fill("SIEM");
  await page.getByLabel("URL").fill(sink.url);
  await box.fill("path:/api/*");
  await button("Send test").click();
  await expect(filters.getByRole("listitem")).toHaveText(["status 4xx", "method POST", "path /api/*"]);
  await inspect(page, "filters of a destination");
  await expect(page.getByText(/^The receiver accepted the newest event/)).toBeVisible();
  await button("Add destination").click();
  await button("I have stored the secret").click();
  await expect(page.getByRole("heading", { level: 1, name: "SIEM" })).toBeVisible();
  const shown = page.getByRole("list", { name: "Filters" }).getByRole("listitem");
  await expect(shown).toHaveText(["status 4xx", "method POST", "path /api/*"]);
  const [{ query } = { query: {} }] = (await api.get<Destination[]>("/audit-logs/destinations")).data;
  expect(query).toEqual({ status: "4xx", method: "POST", path: "/api/*" });
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await alive(button("Clear all filters"));
  await expect(filters.getByRole("listitem")).toHaveText(["status 4xx", "method POST", "path /api/*"]);
  await button("Clear all filters").click();
  await expect(box).toHaveAttribute("placeholder", "All entries");
  await expect(button("Send test")).toBeVisible();

  const palette = page.getByPlaceholder("Search, paste or run a command…");
  const search = async (text: string) => {
    await page.keyboard.press("Control+k");
    await palette.fill(text);
  };
  await open(page, "/");
  await search("siem");
  await page.getByRole("option", { name: /^SIEM https/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "SIEM" })).toBeVisible();
  await open(page, "/");
  await search("pause siem");
  await toasts(page, "SIEM was paused.", () => page.getByRole("option", { name: "Pause SIEM" }).click());
  await search("pause siem");
  await expect(page.getByRole("option", { name: /^SIEM https · paused/ })).toBeVisible();
  await expect(page.getByRole("option", { name: "Pause SIEM" })).toBeHidden();
  await palette.fill("resume siem");
  await toasts(page, "SIEM sends again.", () => page.getByRole("option", { name: "Resume SIEM" }).click());
  await search("replay siem");
  await page.getByRole("option", { name: "Replay SIEM…" }).click();
  await expect(page.getByRole("dialog")).toContainText("Replay to SIEM");
  await page.keyboard.press("Escape");
  await search("create destination");
  await page.getByRole("option", { name: "Add destination" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "New destination" })).toBeVisible();
  sink.close();
});
