/** Text of the API's documentation: what stands between backticks is code, as in Markdown. */
export function WithCode({ text }: { text: string }) {
  const parts = text.split(/`([^`]+)`/);
  return parts.map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: The parts of a text do not move.
      <code key={at} className="break-words font-mono text-sm">
        {part}
      </code>
    ),
  );
}
