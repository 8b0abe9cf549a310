import { CodeBlock } from "@/components/ui/code-block";
import { Note } from "@/components/ui/note";

/** A webhook's signing secret, this once. */
export function SigningSecret({ secret, name }: { secret: string; name: string }) {
  return (
    <>
      <Note tone="warn">
        This is the only time the signing secret is shown. With it the receiver can tell that a message is from here, as{" "}
        <span className="whitespace-nowrap">Standard Webhooks</span> says; if it is lost, rotate it.
      </Note>
      <section>
        <h3 className="mb-1 font-medium">Signing secret of {name}</h3>
        <CodeBlock text={secret} what="the signing secret" wrap />
      </section>
    </>
  );
}
