import { expect, test } from "vitest";
import { nameForms } from "@/lib/network/names/name-forms";

test.each([
  ["shop.example:8443", []],
  ["::1", []],
  ["100% sure_", []],
  ["bücher", ["xn--bcher-kva"]],
  ["*.bücher.example:8443", ["*.xn--bcher-kva.example:8443"]],
  ["https://bücher.example/ä", ["https://xn--bcher-kva.example/xn--4ca"]],
  ["例え。テスト", ["xn--r8jz45g.xn--zckzah"]],
  ["www.xn--bcher-kva.example", ["www.bücher.example"]],
  ["xn--bcher-kva.bücher", ["xn--bcher-kva.xn--bcher-kva", "bücher.bücher"]],
  ["xn--", []],
])("%s has the other forms %j", (text, others) => {
  expect(nameForms(text)).toEqual([text, ...others]);
});
