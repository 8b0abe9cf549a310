import { readFileSync } from "node:fs";
import { parseAst } from "vitest/node";

/** A node of a syntax tree, as ESTree defines it. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
/** The nodes in a property of a node. */
export const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value : [value]).filter(isNode);

/** A node and all nodes in it, outermost first. */
export function innerNodes(node: Node, into: Node[] = []): Node[] {
  into.push(node);
  for (const value of Object.values(node)) for (const child of nodesIn(value)) innerNodes(child, into);
  return into;
}

/** A source file of ours, for tests of rules that the linter does not know. */
export class Source {
  readonly text: string;
  #nodes: Node[] | null = null;

  constructor(readonly name: string) {
    this.text = readFileSync(name, "utf8");
  }

  /** All nodes of the types, outermost first. */
  nodes(...types: string[]): Node[] {
    this.#nodes ??= nodesIn(parseAst(this.text, { lang: this.name.endsWith("x") ? "tsx" : "ts" })).flatMap((node) =>
      innerNodes(node),
    );
    return this.#nodes.filter(({ type }) => types.includes(type));
  }

  /** The text of one node on one line; empty without a node. */
  textOf(value: unknown): string {
    const [node] = nodesIn(value);
    return node === undefined ? "" : this.text.slice(node.start, node.end).replaceAll(/\s+/g, " ");
  }

  /** Calls, each with its callee written without spaces, such as `db().alert.findMany`. */
  calls() {
    return this.nodes("CallExpression").map((call) => ({
      callee: this.textOf(call.callee).replaceAll(" ", ""),
      args: nodesIn(call.arguments),
    }));
  }

  /** Strings and templates. */
  strings() {
    return this.nodes("Literal", "TemplateLiteral").map((node) => ({ node, text: stringOf(node) }));
  }
}

/** The text of a string or template, in which `${0}` stands for the first inserted expression. */
export function stringOf(node: Node): string {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : "";
  const parts = nodesIn(node.quasis).map(({ value }) => (value as { raw: string }).raw);
  return parts.map((part, index) => (index === 0 ? part : `\${${index - 1}}${part}`)).join("");
}
