import { CodeBlock } from "@/components/ui/code-block";
import { Note } from "@/components/ui/note";

/** A webhook's signing secret, shown once. */
export function SigningSecret({ secret, name }: { secret: string; name: string }) {
  return (
    <>
      <Note tone="warn">
        This is the only time the signing secret is shown. The receiver verifies messages with it, as described by{" "}
        <span className="whitespace-nowrap">Standard Webhooks</span>. If you lose it, rotate it.
      </Note>
      <section>
        <h3 className="mb-1 font-medium">Signing secret of {name}</h3>
        <CodeBlock text={secret} what="the signing secret" wrap />
      </section>
    </>
  );
}
