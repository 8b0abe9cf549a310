import { expect, test } from "vitest";
import { savedWords } from "@/components/certificates/endpoints/saved-words";

const target = { host: "shop.internal", port: 443, sni: null, protocol: "tls", connect_to: null } as const;
const renewal = { owner: null, renewal_method: null, renewal_note: null, renewal_link: null };
const rest = { ...renewal, address_mode: "one", interval_seconds: 3600, trust_store_id: null } as const;
const endpoint = { ...target, ...rest, id: "0194", tags: ["shop"], agent_id: null };
const ofAgent = { ...endpoint, agent_id: "0195" };

test("what is said of a saved endpoint tells only of a check by an agent that is still to come", () => {
  expect(savedWords(endpoint, { ...endpoint, port: 8443 })).toBe("shop.internal:8443 was saved.");
  expect(savedWords(ofAgent, { ...ofAgent, tags: [] })).toBe("shop.internal was saved.");
  expect(savedWords(ofAgent, { ...ofAgent, port: 8443 })).toBe(
    "shop.internal:8443 was saved. The agent will check it soon.",
  );
  expect(savedWords(endpoint, ofAgent)).toContain("The agent will check it soon.");
});
