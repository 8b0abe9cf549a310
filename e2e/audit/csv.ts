/**
 * Reads CSV strictly by RFC 4180: lines end in CRLF, quotes are doubled and only in quoted fields, all records have as
 * many fields as the first. Throws on anything else.
 */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    const field = text[at] === '"' ? quoted(text, at) : plain(text, at);
    record.push(field.value);
    at = field.end;
    if (text[at] === ",") {
      at++;
      if (at === text.length) throw new Error("the file ends after a comma");
    } else if (text.startsWith("\r\n", at)) {
      at += 2;
      records.push(record);
      record = [];
    } else throw new Error(`neither a comma nor CRLF at ${at}: ${JSON.stringify(text.slice(at - 20, at + 20))}`);
  }
  const width = records[0]?.length;
  const odd = records.find((each) => each.length !== width);
  if (odd !== undefined) throw new Error(`a record with ${odd.length} fields instead of ${width}: ${odd}`);
  return records;
}

interface Field {
  value: string;
  end: number;
}

function plain(text: string, start: number): Field {
  let end = start;
  while (end < text.length && text[end] !== "," && text[end] !== "\r" && text[end] !== "\n") {
    if (text[end] === '"') throw new Error(`a quote in a field without quotes at ${end}`);
    end++;
  }
  return { value: text.slice(start, end), end };
}

function quoted(text: string, start: number): Field {
  let value = "";
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote === -1) throw new Error(`a quoted field at ${start} that does not end`);
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}
