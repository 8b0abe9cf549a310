import { randomBytes } from "node:crypto";

/** Random names that are asked for the addresses of a wildcard record, because an answer may have only some of them. */
const SAMPLES = 8;
/** How often further names are asked for while their answers have new addresses. */
const MAX_ROUNDS = 3;

/** A name with its addresses. */
export interface Resolved {
  name: string;
  addresses: string[];
}

/** What the names of a domain resolve to that do not exist: if it has a wildcard record, the addresses of that. */
export class Wildcard {
  private readonly addresses = new Set<string>();
  /** Its answers have ever new addresses, so that the addresses of a name do not tell whether it exists. */
  private varies = false;

  private constructor(
    private readonly domain: string,
    private readonly ask: (name: string) => Promise<string[]>,
  ) {}

  /** Asks for one random name, and for more if it resolves. Throws the DNS error if the first is not answered. */
  static async find(domain: string, ask: (name: string) => Promise<string[]>): Promise<Wildcard> {
    const wildcard = new Wildcard(domain, ask);
    await wildcard.askOne();
    if (wildcard.addresses.size > 0) await wildcard.askMore(SAMPLES - 1);
    return wildcard;
  }

  /** The names that exist, of some that resolve. Asks for as many further random names as have an address of their own. */
  async existing(names: readonly Resolved[]): Promise<Resolved[]> {
    if (this.addresses.size === 0) return [...names];
    if (this.varies) return [];
    let others = this.others(names);
    for (let round = 0; round < MAX_ROUNDS && others.length > 0; round++) {
      const known = this.addresses.size;
      await this.askMore(Math.max(others.length, SAMPLES));
      if (this.addresses.size === known) return others;
      others = this.others(others);
    }
    this.varies = others.length > 0;
    return [];
  }

  /** Those with an address that no random name has had. */
  private others(names: readonly Resolved[]): Resolved[] {
    return names.filter(({ addresses }) => addresses.some((address) => !this.addresses.has(address)));
  }

  private async askOne(): Promise<void> {
    const name = `sealwatch-${randomBytes(8).toString("hex")}.${this.domain}`;
    for (const address of await this.ask(name)) this.addresses.add(address);
  }

  /** Names without an answer add nothing. */
  private async askMore(count: number): Promise<void> {
    await Promise.allSettled(Array.from({ length: count }, () => this.askOne()));
  }
}
