import { isSwitched } from "@/components/requests/selected-organization";
import { organizationHeaders } from "@/lib/http/page-organization";

/** Milliseconds until the next attempt after the server refused a stream for another reason than the session, or it was refused here. */
const RETRY_MS = 30_000;

interface Listener {
  /** `isResumed`: the stream continues after the last event; otherwise events before it are missing. */
  open?: (isResumed: boolean) => void;
  /** The connection is interrupted and will be tried again. */
  cut: () => void;
  /** The session has ended: nothing more will come. */
  over: () => void;
  /** Handlers of the events, by their names. */
  events: Record<string, (data: unknown) => void>;
}

/**
 * Listens to server-sent events until the returned function is called. Browsers reconnect by themselves, except after an error
 * response, whose status they keep to themselves: then the URL is requested once more for the reason. While another organization than that
 * of the page is selected, whose events would come, the stream is not opened: an `EventSource` can name none.
 */
export function openStream(url: string, { open, cut, over, events }: Listener): () => void {
  const closing = new AbortController();
  const { signal } = closing;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connectLater = () => {
    timer = setTimeout(connect, RETRY_MS);
  };
  const refuse = () => {
    cut();
    connectLater();
  };
  const connect = () => {
    if (isSwitched()) return refuse();
    const source = new EventSource(url);
    let wasOpen = false;
    signal.addEventListener("abort", () => source.close());
    source.addEventListener("open", () => {
      if (isSwitched()) {
        source.close();
        return refuse();
      }
      open?.(wasOpen);
      wasOpen = true;
    });
    source.addEventListener("error", () => {
      cut();
      if (source.readyState === EventSource.CLOSED) void askWhy();
    });
    for (const [name, handle] of Object.entries(events)) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => handle(JSON.parse(data)));
    }
  };
  const askWhy = async () => {
    const isOver = await isSessionOver(url, signal);
    if (signal.aborted) return;
    if (isOver) over();
    else connectLater();
  };
  connect();
  return () => {
    clearTimeout(timer);
    closing.abort();
  };
}

/** Whether a URL of the API is refused because nobody is signed in any more; false if it cannot be reached. */
async function isSessionOver(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { signal, headers: organizationHeaders() });
    void response.body?.cancel();
    return response.status === 401;
  } catch {
    return false;
  }
}
