import { Command } from "cmdk";
import { chooseTheme, themeChoices } from "@/components/layout/choose-theme";
import { signOut } from "@/components/layout/sign-out";
import { switchOrganization } from "@/components/layout/switch-organization";
import type { Reader } from "@/components/palette/commands";
import { Item } from "@/components/palette/item";
import { show } from "@/components/palette/opened";
import type { pageActions } from "@/components/palette/page-actions";
import { operatorPlace, pageCommands, places } from "@/components/palette/places";
import { destinations } from "@/components/palette/shortcuts";
import { verbs } from "@/components/palette/verbs";
import { Kbd } from "@/components/ui/kbd";

/** The pages: those of the navigation, or once something is typed, all. */
export function PagesGroup({
  typed,
  isOperator,
  onOpen,
}: {
  typed: string;
  isOperator: boolean;
  onOpen: (href: string) => void;
}) {
  return (
    <Command.Group heading="Pages">
      {(typed === "" ? destinations : places).map(({ href, label }) => (
        <Item
          key={href}
          id={`page ${href}`}
          label={label}
          words={places.find((place) => place.href === href)?.words ?? ""}
          onSelect={() => onOpen(href)}
          note={<Letter href={href} />}
        />
      ))}
      {isOperator && (
        <Item
          id={`page ${operatorPlace.href}`}
          label={operatorPlace.label}
          words={operatorPlace.words}
          onSelect={() => onOpen(operatorPlace.href)}
        />
      )}
    </Command.Group>
  );
}

/** The keys that open a page from anywhere. */
function Letter({ href }: { href: string }) {
  const letter = destinations.find((page) => page.href === href)?.letter;
  if (letter === undefined) return null;
  return (
    <span className="flex gap-1 pointer-coarse:hidden">
      <Kbd>g</Kbd>
      <Kbd>{letter}</Kbd>
    </span>
  );
}

/** Commands: those of other pages, what can be done with something found by its name, and those that work anywhere. */
export function ActionsGroup({
  typed,
  onPage,
  refusal,
  organizations,
  organizationCookie,
  onPress,
  onType,
  after,
}: Pick<Reader, "organizations" | "organizationCookie"> & {
  typed: string;
  /** The actions of this page, which are shown apart. */
  onPage: ReturnType<typeof pageActions>;
  /** Why the reader may change nothing; null if they may. */
  refusal: string | null;
  onPress: (href: string, label: string) => void;
  onType: (text: string) => void;
  /** Closes the palette, then works. */
  after: (work: () => void) => void;
}) {
  return (
    <Command.Group heading="Actions">
      {pageCommands
        .filter(({ label }) => typed !== "" && !onPage.some((action) => action.label === label))
        .map(({ label, href, words }) => (
          <Item
            key={label}
            id={`command ${label}`}
            label={label}
            words={words}
            reason={refusal}
            onSelect={() => onPress(href, label)}
          />
        ))}
      {typed !== "" &&
        verbs.map(({ verb, of }) => (
          <Item
            key={verb}
            id={`verb ${verb}`}
            label={`${verb} a ${of}…`}
            reason={refusal}
            onSelect={() => onType(`${verb.toLowerCase()} `)}
          />
        ))}
      {organizations.map(({ id, name }) => (
        <Item
          key={id}
          id={`organization ${id}`}
          label={`Switch to ${name}`}
          onSelect={() => switchOrganization(organizationCookie, id)}
        />
      ))}
      {themeChoices.map(({ value, label }) => (
        <Item
          key={value}
          id={`theme ${value}`}
          label={`Theme: ${label.toLowerCase()}`}
          onSelect={() => after(() => chooseTheme(value))}
        />
      ))}
      <Item id="keys" label="Keyboard shortcuts" note={<Kbd>?</Kbd>} onSelect={() => show("keys")} />
      <Item id="sign out" label="Sign out" words="log out" onSelect={() => after(signOut)} />
    </Command.Group>
  );
}
