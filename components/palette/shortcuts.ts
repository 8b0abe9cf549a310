import { navigation } from "@/components/layout/navigation";

/** The letter that leads to a page after `g`. Pages that are still to come have theirs already, so that none moves. */
const letters: Record<string, string> = {
  "/": "o",
  "/certificates": "c",
  "/uptime": "u",
  "/subdomains": "d",
  "/alerts": "l",
  "/alert-rules": "t",
  "/analytics": "n",
  "/audit-logs": "a",
  "/security-events": "e",
  "/statistics": "s",
  "/api-keys": "k",
  "/organization": "i",
  "/members": "m",
  "/notification-channels": "h",
  "/billing": "p",
  "/api-reference": "r",
};

export interface Destination {
  href: string;
  label: string;
  letter: string | undefined;
}

/** Every page of the navigation, with its letter if it has one. */
export const destinations: readonly Destination[] = navigation.flatMap(({ entries }) =>
  entries.map((entry) => ({ ...entry, letter: letters[entry.href] })),
);

/** The other keys, for those who ask. */
export const otherKeys: readonly { title: string; keys: readonly { press: readonly string[]; does: string }[] }[] = [
  {
    title: "Everywhere",
    keys: [
      { press: ["Ctrl K"], does: "Find a page, a key, an endpoint or an action" },
      { press: ["?"], does: "This list" },
      { press: ["Esc"], does: "Close what stands over the page" },
    ],
  },
  {
    title: "Lists",
    keys: [
      { press: ["j", "↓"], does: "Next row; the first one to begin with" },
      { press: ["k", "↑"], does: "Row before" },
      { press: ["Enter"], does: "Open the row" },
      { press: ["/"], does: "Search, where there is a filter" },
    ],
  },
];
