import { Select } from "@/components/ui/field";

/** A filter with a closed list of values. */
export interface FilterChoice {
  /** Of the parameter in the URL. */
  name: string;
  label: string;
  /** The words of the empty choice. */
  any: string;
  options: readonly { value: string; label: string }[];
  /** The words of a value that is not an option; otherwise the value itself. */
  unlisted?: string;
}

/** One select per filter. `onChoose` gets an empty value for no filter. */
export function FilterSelects({
  choices,
  params,
  onChoose,
}: {
  choices: readonly FilterChoice[];
  params: Record<string, string>;
  onChoose: (name: string, value: string) => void;
}) {
  return choices.map(({ name, label, any, options, unlisted }) => {
    const value = params[name] ?? "";
    const isListed = value === "" || options.some((option) => option.value === value);
    return (
      <Select
        key={name}
        aria-label={label}
        value={value}
        onChange={(event) => onChoose(name, event.target.value)}
        className={`w-auto! max-w-64 max-sm:w-[calc(50%-0.25rem)]! ${value === "" ? "text-second" : "font-medium"}`}
      >
        <option value="">{any}</option>
        {!isListed && <option value={value}>{unlisted ?? value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    );
  });
}
