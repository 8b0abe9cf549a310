import { SelectAll, SelectBox } from "@/components/table/selection";
import { Data, Head } from "@/components/table/table";

/** The header of the column of boxes, within `Selectable`. Phones have no room for the column. */
export function SelectHead({ noun }: { noun: string }) {
  return (
    <Head className="select-box w-12 max-sm:hidden">
      <SelectAll noun={noun} />
    </Head>
  );
}

/** The cell with the box of a row. A press beside the box counts, too. */
export function SelectData({ id, name }: { id: string; name: string }) {
  return (
    <Data className="select-box p-0! max-sm:hidden">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the box in it has its own name */}
      <label className="flex h-full min-h-7 items-center pl-5">
        <SelectBox id={id} name={name} />
      </label>
    </Data>
  );
}
