import { pool } from "@/lib/db/app";
import type { RowSource } from "@/lib/db/rows/row-source";

const PAGE_SIZE = 500;

/** A query whose parameter $1 is the organization, and whose rows are sorted by `keys`, which it selects. */
export interface PagedTable {
  name: string;
  select: string;
  /** Further parameters of the query, from $3 on. */
  values?: readonly unknown[];
  keys: readonly { name: string; type: string }[];
}

/** Rows of several tables as lines of JSON, `{"table": …, "row": …}`; each page is read on demand. */
export class PagedRows implements RowSource {
  rows = 0;
  private after: string[] = [];
  private readonly left: PagedTable[];

  constructor(
    tables: readonly PagedTable[],
    private readonly organizationId: string,
  ) {
    this.left = [...tables];
  }

  async next(): Promise<Buffer | null> {
    for (let [table] = this.left; table !== undefined; [table] = this.left) {
      const lines = await this.page(table);
      this.rows += lines.length;
      if (lines.length > 0) return Buffer.from(lines.map((line) => `${line}\n`).join(""));
    }
    return null;
  }

  async end(): Promise<void> {}

  private async page({ name, select, values = [], keys }: PagedTable): Promise<string[]> {
    const columns = keys.map((key) => `r."${key.name}"`).join(", ");
    const position = keys.map(({ type }, index) => `$${index + 3 + values.length}::${type}`).join(", ");
    const { rows } = await pool("report").query<{ line: string; position: string[] }>(
      `SELECT json_build_object('table', $2::text, 'row', row_to_json(r))::text AS line,
         ARRAY[${keys.map((key) => `r."${key.name}"::text`).join(", ")}]::text[] AS position
       FROM (${select}) AS r ${this.after.length > 0 ? `WHERE (${columns}) > (${position})` : ""}
       ${keys.length > 0 ? `ORDER BY ${columns}` : ""} LIMIT ${PAGE_SIZE}`,
      [this.organizationId, name, ...values, ...this.after],
    );
    this.after = rows.length === PAGE_SIZE ? (rows.at(-1)?.position ?? []) : [];
    if (this.after.length === 0) this.left.shift();
    return rows.map(({ line }) => line);
  }
}
