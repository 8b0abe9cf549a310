import { SelectAll, SelectBox } from "@/components/table/selection";
import { Data, Head } from "@/components/table/table";

/** The header of the column of boxes, within `Selectable`. */
export function SelectHead({ noun }: { noun: string }) {
  return (
    <Head className="w-12 max-sm:w-10">
      <SelectAll noun={noun} />
    </Head>
  );
}

/** The cell with the box of a row. A press beside the box counts too. */
export function SelectData({ id, name }: { id: string; name: string }) {
  return (
    <Data className="p-0!">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the box in it has its own name */}
      <label className="flex h-full min-h-7 items-center pl-4 sm:pl-5">
        <SelectBox id={id} name={name} />
      </label>
    </Data>
  );
}
