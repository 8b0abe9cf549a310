/** One event of a stream of server-sent events. */
interface ServerSentEvent {
  type: string;
  data: string;
  /** The id to resume after; also of events without data, which have only that. */
  id: string | undefined;
  /** Milliseconds after which to reconnect, if the server said so. */
  retry: number | undefined;
}

/** The events of a stream, as the HTML standard defines them (section 9.2.6). Ends with the stream; an incomplete event is dropped. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let event: ServerSentEvent & { lines: string[] } = empty();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A CR at the end may be the first half of a line break.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line !== "") {
          take(event, line);
          continue;
        }
        const { lines: data, ...complete } = event;
        yield { ...complete, data: data.join("\n") };
        event = empty();
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function empty(): ServerSentEvent & { lines: string[] } {
  return { type: "message", data: "", id: undefined, retry: undefined, lines: [] };
}

function take(event: ServerSentEvent & { lines: string[] }, line: string): void {
  const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  if (name === "event") event.type = value;
  if (name === "data") event.lines.push(value);
  if (name === "id" && !value.includes("\0")) event.id = value;
  if (name === "retry" && /^\d+$/.test(value)) event.retry = Number(value);
}
