import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { type AcmeAnswer, acmeSetting, answerAcme } from "@/e2e/support/stand-ins/acme";
import { startNameServer, type Zone } from "@/e2e/support/stand-ins/name-server";
import { requestText } from "@/e2e/support/stand-ins/request-text";
import { type Answers, newSearches, startSearches } from "@/e2e/support/stand-ins/transparency";

const TOKEN = "ct-token";

/** Changes to the outside world by a test; omitted parts do not change. */
export interface World {
  zones?: Record<string, Zone>;
  /** By domain. */
  search?: Record<string, Answers>;
  publicSearch?: Record<string, Answers>;
  /** By identifier of a certificate. */
  acme?: Record<string, AcmeAnswer>;
}

/** Starts a name server, two searches of certificate transparency logs and an ACME directory. Returns the settings that lead to them. */
export async function startSmallInternet(): Promise<{ settings: Record<string, string>; close: () => void }> {
  const names = await startNameServer();
  const searches = newSearches(TOKEN);
  const acme = new Map<string, AcmeAnswer>();
  const control = async (request: IncomingMessage, url: URL, response: ServerResponse) => {
    if (answerAcme(acme, request, response)) {
      searches.asked.push(request.url ?? "");
      return;
    }
    if (request.method === "PUT") {
      const world = JSON.parse(await requestText(request)) as World;
      for (const [name, zone] of Object.entries(world.zones ?? {})) names.zones.set(name, zone);
      for (const [name, answers] of Object.entries(world.search ?? {})) searches.search.set(name, answers);
      for (const [name, answers] of Object.entries(world.publicSearch ?? {})) searches.publicSearch.set(name, answers);
      for (const [id, answer] of Object.entries(world.acme ?? {})) acme.set(id, answer);
    }
    const about = url.searchParams.get("about") ?? "";
    const asked = [...searches.asked, ...names.asked].filter((each) => each.includes(about));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ asked }));
  };
  const http = await startSearches(searches, control);
  return {
    settings: {
      DNS_SERVERS: names.address,
      CT_SEARCH_URL: `${http.url}/v1/issuances`,
      CT_SEARCH_TOKEN: TOKEN,
      CT_PUBLIC_SEARCH_URL: `${http.url}/public`,
      ACME_DIRECTORIES: acmeSetting(http.url),
    },
    close() {
      names.close();
      http.close();
    },
  };
}

function controlUrl(server: Sealwatch): URL {
  return new URL("/control", server.plain.env.CT_SEARCH_URL);
}

/** Changes the outside world of the shared server. */
export async function arrange(server: Sealwatch, world: World): Promise<void> {
  await fetch(controlUrl(server), { method: "PUT", body: JSON.stringify(world) });
}

/** The requests to the outside world that mention `about`. */
export async function askedAbout(server: Sealwatch, about: string): Promise<string[]> {
  const url = controlUrl(server);
  url.searchParams.set("about", about);
  return ((await (await fetch(url)).json()) as { asked: string[] }).asked;
}

/** A registrable domain that no other test has. */
export function newDomainName(): string {
  return `t${randomBytes(6).toString("hex")}.com`;
}
