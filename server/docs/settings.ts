import { type Setting, settings } from "@/lib/settings";

interface Listed {
  name: Setting;
  description: string;
  /** The value that has the same effect as leaving the setting unset; undefined if there is none. */
  byDefault: string | undefined;
  /** What applies if the setting is unset and `byDefault` is undefined. */
  unset: string;
  example: string;
}

const text = (value: unknown) => (typeof value === "string" ? value : undefined);

/** Every setting, as the documentation shows it. */
export const settingList: readonly Listed[] = Object.entries(settings.shape).map(([name, schema]) => {
  const meta = schema.meta() ?? {};
  const { defaultValue } = schema.def as { defaultValue?: unknown };
  return {
    name: name as Setting,
    description: meta.description ?? "",
    byDefault: text(meta.default) ?? text(defaultValue),
    unset: text(meta.unset) ?? "",
    example: text(meta.example) ?? "",
  };
});

const WIDTH = 118;

/** Markdown as plain text, in lines that begin with `#`. */
function comment(markdown: string): string {
  const plain = markdown.replaceAll(/\[([^\]]*)\]\(([^)#]*)[^)]*\)/g, "$1 (docs/$2)").replaceAll("`", "");
  const lines = [""];
  for (const word of plain.split(" ")) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length < WIDTH) lines[lines.length - 1] = line;
    else lines.push(` ${word}`);
  }
  return lines.map((line) => `#${line}`).join("\n");
}

/** The content of `.env.example`. */
export function environmentExample(): string {
  const head =
    "# Every setting, with its default or an example. Copy this file to .env and change what you need. Environment variables win.";
  const entries = settingList.map(
    ({ name, description, byDefault, example }) => `${comment(description)}\n#${name}=${example || (byDefault ?? "")}`,
  );
  return `${[head, ...entries].join("\n\n")}\n`;
}
