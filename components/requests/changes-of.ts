/**
 * The fields of what a form sends that differ from `initial`, which it would have sent when it was loaded: saving the others too would undo
 * what somebody else has changed since. Fields of one of the groups are sent together, because one of them is meant with the others.
 */
export function changesOf<Sent extends object>(
  initial: Sent,
  sent: Sent,
  groups: readonly (readonly (keyof NoInfer<Sent>)[])[] = [],
): Partial<Sent> {
  const names = Object.keys(sent) as (keyof Sent)[];
  const changed = names.filter((name) => JSON.stringify(sent[name]) !== JSON.stringify(initial[name]));
  const together = groups.filter((group) => group.some((name) => changed.includes(name))).flat();
  const all = names.filter((name) => changed.includes(name) || together.includes(name));
  return Object.fromEntries(all.map((name) => [name, sent[name]])) as Partial<Sent>;
}
