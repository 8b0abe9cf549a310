/** A number with separators: `1,234,567`. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-GB");
}

/** `1 key`, `1,200 keys`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${formatCount(count)} ${counted(count, noun, many)}`;
}

/** The noun after a count that is shown apart: `key`, `keys`. */
export function counted(count: number, noun: string, many = `${noun}s`): string {
  return count === 1 ? noun : many;
}
