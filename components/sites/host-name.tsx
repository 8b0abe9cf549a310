import { Fragment } from "react";

/** The name of a host, an endpoint or a subject: where it does not fit, it breaks after dots and colons. */
export function HostName({ name }: { name: string }) {
  return name.split(/(?<=[.:])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its place
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
