import { SelectAll, SelectBox } from "@/components/table/selection";
import { Data, Head } from "@/components/table/table";
import { cx } from "@/components/ui/cx";

/** Other tables have no room for the column on phones. */
const column = (onPhones: boolean) => (onPhones ? undefined : "select-box max-sm:hidden");

/** The header of the column of boxes, within `Selectable`. */
export function SelectHead({ noun, onPhones = false }: { noun: string; onPhones?: boolean }) {
  return (
    <Head className={cx("w-12", column(onPhones))}>
      <SelectAll noun={noun} />
    </Head>
  );
}

/** The cell with the box of a row. A press beside the box counts, too. */
export function SelectData({ id, name, onPhones = false }: { id: string; name: string; onPhones?: boolean }) {
  return (
    <Data className={cx("p-0!", column(onPhones))}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the box in it has its own name */}
      <label className="flex h-full min-h-7 items-center pl-4 sm:pl-5">
        <SelectBox id={id} name={name} />
      </label>
    </Data>
  );
}
