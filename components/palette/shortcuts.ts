import { navigation } from "@/components/layout/navigation";

/** The letter that opens a page after `g`. */
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
  "/integrity": "y",
  "/destinations": "f",
  "/api-keys": "k",
  "/organization": "i",
  "/members": "m",
  "/notification-channels": "h",
  "/status-pages": "b",
  "/billing": "p",
  "/api-reference": "r",
};

interface Destination {
  href: string;
  label: string;
  letter: string | undefined;
}

/** Every page of the navigation, with its letter if there is one. */
export const destinations: readonly Destination[] = navigation.flatMap(({ entries }) =>
  entries.map((entry) => ({ ...entry, letter: letters[entry.href] })),
);

/** All other shortcuts, for the help dialog. */
export const otherKeys: readonly { title: string; keys: readonly { press: readonly string[]; does: string }[] }[] = [
  {
    title: "Everywhere",
    keys: [
      { press: ["Ctrl K"], does: "Search or run a command" },
      { press: ["?"], does: "Show keyboard shortcuts" },
      { press: ["Esc"], does: "Close the open dialog or panel" },
    ],
  },
  {
    title: "Lists",
    keys: [
      { press: ["j", "↓"], does: "Next row" },
      { press: ["k", "↑"], does: "Previous row" },
      { press: ["Enter"], does: "Open row" },
      { press: ["x"], does: "Select row" },
      { press: ["/"], does: "Filter the audit log" },
    ],
  },
];
