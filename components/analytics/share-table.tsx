import Link from "next/link";
import type { ReactNode } from "react";
import { formatCount } from "@/lib/text/counts";
import { percent } from "@/lib/text/percent";

interface SharedBy {
  key: string;
  name: string;
  certificates: number;
  endpoints: number;
  href?: string;
  /** The content of the last column. */
  more?: ReactNode;
}

/** The distribution of certificates in use over the values of one property. */
export function ShareTable({
  label,
  of,
  more,
  rows,
}: {
  label: string;
  /** The name of the property. */
  of: string;
  /** The name of the last column, if there is one. */
  more?: string;
  rows: readonly SharedBy[];
}) {
  const total = rows.reduce((sum, { certificates }) => sum + certificates, 0);
  const head = "h-7 border-y text-right font-normal text-second text-sm";
  const cell = "h-7 border-b text-right tabular-nums pointer-coarse:h-10";
  return (
    <table aria-label={label} className="w-full table-fixed border-separate border-spacing-0">
      <thead>
        <tr>
          <th scope="col" className={`${head} text-left!`}>
            {of}
          </th>
          <th scope="col" className={`${head} w-24`}>
            Certificates
          </th>
          <th scope="col" className={`${head} w-16`}>
            Share
          </th>
          <th scope="col" className={`${head} w-24 max-sm:hidden`}>
            Endpoints
          </th>
          {more && (
            <th scope="col" className={`${head} w-40 max-md:hidden`}>
              {more}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, certificates, endpoints, href, more: last }) => (
          <tr key={key} className="hover:bg-sunken">
            <th scope="row" className="relative h-7 border-b p-0 text-left font-normal pointer-coarse:h-10">
              <span
                aria-hidden="true"
                className="absolute inset-y-[3px] left-0 rounded-xs bg-seal-wash"
                style={{ width: `${(100 * certificates) / Math.max(1, total)}%` }}
              />
              <span className="relative block truncate px-1.5" title={name}>
                {href ? (
                  <Link prefetch={false} href={href} className="hover:underline">
                    {name}
                  </Link>
                ) : (
                  name
                )}
              </span>
            </th>
            <td className={cell}>{formatCount(certificates)}</td>
            <td className={`${cell} text-second`}>{percent(certificates, total)}</td>
            <td className={`${cell} max-sm:hidden`}>{formatCount(endpoints)}</td>
            {more && <td className={`${cell} text-second max-md:hidden`}>{last}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
