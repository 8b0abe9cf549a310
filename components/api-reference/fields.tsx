import { WithCode } from "@/components/api-reference/with-code";
import { Badge } from "@/components/ui/badge";

interface Field {
  path: string;
  type: string;
  required: boolean;
  description: string;
}

/** A list of fields with type and description. `answers` is for responses, where fields are not marked as required. */
export function Fields({
  label,
  fields,
  answers = false,
}: {
  label: string;
  fields: readonly Field[];
  answers?: boolean;
}) {
  return (
    <ul aria-label={label} className="border-t">
      {fields.map(({ path, type, required, description }) => (
        <li
          key={path}
          className="grid grid-cols-1 gap-x-4 border-b py-1.5 sm:grid-cols-[minmax(9rem,16rem)_minmax(0,1fr)]"
        >
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="break-all font-mono text-sm">{path}</span>
            {required && !answers && <Badge tone="seal">required</Badge>}
          </span>
          <span className="min-w-0">
            <span className="break-words font-mono text-second text-sm">{type}</span>
            {description && (
              <span className="block text-pretty">
                <WithCode text={description} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
