import { Note } from "@/components/ui/note";

/** Above a form's buttons: why it was not accepted, when that belongs to no field. */
export function FormFailure({ message }: { message: string | null }) {
  if (message === null) return null;
  return (
    <Note tone="bad" alert>
      {message}
    </Note>
  );
}
