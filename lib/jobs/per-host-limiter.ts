/** A host has too many connections; try again later. */
export class HostBusy extends Error {
  override readonly name = "HostBusy";
}

interface PerHostLimits {
  /** Maximum concurrent connections to one host, in total and per organization. */
  perHost: number;
  perOrganization: number;
  /** Maximum waiting requests of an organization for one host, and their maximum wait in milliseconds. */
  waiting: number;
  waitMs: number;
}

interface Waiting {
  organizationId: string;
  enter: () => void;
}

class Host {
  private readonly running = new Map<string, number>();
  readonly waiting: Waiting[] = [];
  total = 0;

  runningOf(organizationId: string): number {
    return this.running.get(organizationId) ?? 0;
  }

  add(organizationId: string, count: 1 | -1): void {
    this.total += count;
    const now = this.runningOf(organizationId) + count;
    if (now > 0) this.running.set(organizationId, now);
    else this.running.delete(organizationId);
  }

  hasRoom(organizationId: string, { perHost, perOrganization }: PerHostLimits): boolean {
    return this.total < perHost && this.runningOf(organizationId) < perOrganization;
  }
}

/**
 * Limits the connections of a process to one host. A few more requests wait, briefly if responses are fast; beyond that, or after a long
 * wait, the host counts as busy. A free slot goes to the organization with the fewest, so that none can block others from a host.
 */
export class PerHostLimiter {
  private readonly hosts = new Map<string, Host>();

  constructor(private readonly limits: PerHostLimits) {}

  /** Acquires a slot for each host and returns a function that releases them. Rejects with HostBusy, or when `signal` aborts. */
  async enter(organizationId: string, hosts: readonly string[], signal?: AbortSignal): Promise<() => void> {
    const entered: string[] = [];
    const leave = () => {
      for (const host of entered.splice(0)) this.leave(organizationId, host);
    };
    try {
      // In the same order everywhere, to prevent deadlocks.
      for (const host of [...hosts].sort()) {
        await this.take(organizationId, host, signal);
        entered.push(host);
      }
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  private async take(organizationId: string, name: string, signal: AbortSignal | undefined): Promise<void> {
    const host = this.hosts.get(name) ?? new Host();
    this.hosts.set(name, host);
    if (host.hasRoom(organizationId, this.limits)) {
      host.add(organizationId, 1);
      return;
    }
    const own = host.waiting.filter((waiting) => waiting.organizationId === organizationId);
    if (own.length >= this.limits.waiting) throw new HostBusy(`${name} has too many connections`);
    await new Promise<void>((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
      };
      const waiting: Waiting = {
        organizationId,
        enter: () => {
          settle();
          resolve();
        },
      };
      const giveUp = (reason: unknown) => {
        settle();
        host.waiting.splice(host.waiting.indexOf(waiting), 1);
        reject(reason);
      };
      const stop = () => giveUp(signal?.reason);
      const timer = setTimeout(() => giveUp(new HostBusy(`${name} responds slowly`)), this.limits.waitMs);
      host.waiting.push(waiting);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  private leave(organizationId: string, name: string): void {
    const host = this.hosts.get(name);
    if (host === undefined) return;
    host.add(organizationId, -1);
    // Sorting is stable: within an organization, and among equals, the longest wait comes first.
    const [next] = host.waiting
      .filter((waiting) => host.hasRoom(waiting.organizationId, this.limits))
      .sort((a, b) => host.runningOf(a.organizationId) - host.runningOf(b.organizationId));
    if (next !== undefined) {
      host.waiting.splice(host.waiting.indexOf(next), 1);
      host.add(next.organizationId, 1);
      next.enter();
    }
    if (host.total === 0) this.hosts.delete(name);
  }
}
