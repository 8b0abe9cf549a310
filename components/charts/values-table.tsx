import type { ReactNode } from "react";

/** The frame of a chart's values as a table: rows, each named by its first cell. `children` are the rows. */
export function ValuesTable({
  caption,
  by,
  columns,
  children,
}: {
  caption: string;
  /** What the rows are named by. */
  by: string;
  columns: readonly string[];
  children: ReactNode;
}) {
  return (
    <div className="mt-2 max-h-80 overflow-auto border">
      <table className="w-full tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="text-left">
            <th scope="col" className="px-2 py-1 font-normal">
              {by}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-2 py-1 text-right font-normal">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
