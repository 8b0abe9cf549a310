import { Note } from "@/components/ui/note";

/** The error above a form's buttons, for failures that belong to no field. */
export function FormFailure({ message }: { message: string | null }) {
  if (message === null) return null;
  return (
    <Note tone="bad" alert>
      {message}
    </Note>
  );
}
