import { expect, test } from "vitest";
import { endpointName, parseTarget, shortName } from "@/components/certificates/inventory/names";

test("issuers are named by organization and common name", () => {
  expect(shortName("CN=R11,O=Let's Encrypt,C=US")).toBe("Let's Encrypt R11");
  expect(shortName("CN=GTS CA 1C3,O=Google Trust Services LLC,C=US")).toBe("Google Trust Services LLC GTS CA 1C3");
  expect(shortName("CN=DigiCert Inc Root,O=DigiCert Inc,C=US")).toBe("DigiCert Inc Root");
  expect(shortName("O=Acme\\, Inc.,C=US")).toBe("Acme, Inc.");
  expect(shortName("CN=only")).toBe("only");
  expect(shortName("")).toBe("");
});

test("an endpoint's name has the port if it is not 443", () => {
  expect(endpointName({ host: "example.com", port: 443 })).toBe("example.com");
  expect(endpointName({ host: "example.com", port: 8443 })).toBe("example.com:8443");
  expect(endpointName({ host: "2001:db8::1", port: 8443 })).toBe("[2001:db8::1]:8443");
});

test("a URL can be pasted as a target", () => {
  expect(parseTarget("example.com")).toEqual({ host: "example.com", port: null });
  expect(parseTarget(" example.com:8443 ")).toEqual({ host: "example.com", port: 8443 });
  expect(parseTarget("https://example.com:8443/a/b?c#d")).toEqual({ host: "example.com", port: 8443 });
  expect(parseTarget("https://example.com")).toEqual({ host: "example.com", port: null });
  expect(parseTarget("2001:db8::1")).toEqual({ host: "2001:db8::1", port: null });
  expect(parseTarget("[2001:db8::1]:8443")).toEqual({ host: "2001:db8::1", port: 8443 });
});
