import { parseExpression } from 'vega-expression';
import { t } from '../../text/l10n.ts';
import { ChartProblem } from '../problem.ts';
import { either, scalar, scalarText, type Bounds } from './bounds.ts';
import { functions, type Call } from './functions.ts';
import { atMost, limits, refuse } from '../limits.ts';

/** What an expression can see. */
export interface Scope {
  datum: Bounds;
  /** The datum of a scene item. */
  row: Bounds;
  signal: (name: string) => Bounds;
  rows: (name: string) => Bounds;
  handler: boolean;
}

/** What was found out about an expression. */
export interface Outcome {
  bounds: Bounds;
  /** Microseconds that evaluating it once takes, about. */
  time: number;
}

interface Node {
  type: string;
  value?: unknown;
  regex?: { pattern: string; flags: string };
  name?: string;
  operator?: string;
  computed?: boolean;
  [part: string]: unknown;
}

/** Microseconds that the interpreter takes for a node. */
const nodeTime = 0.12;
const constants = new Set('NaN E LN2 LN10 LOG2E LOG10E PI SQRT1_2 SQRT2 MIN_VALUE MAX_VALUE'.split(' '));
/** By these, every object leads to code. */
const inherited = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'getter']);
/** Members of events and scene items that hold plain values, or items again. */
const safe =
  /^(item|mark|marktype|role|name|datum|isVoronoi|items|\d+|(shift|alt|ctrl|meta)Key|key|delta(X|Y|Mode)|width|height)$/;

function parse(text: string): Node {
  try {
    return parseExpression(text) as unknown as Node;
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new ChartProblem('invalid', t('An expression of the chart can’t be parsed: {0}', reason.slice(0, 200)));
  }
}

/**
 * Walks an expression. The language has no loops, so bounded arguments bound the work.
 * @throws ChartProblem when it calls, reads or makes something that is not allowed
 */
export function checkExpression(text: string, scope: Scope): Outcome {
  const outcome = { time: 0 };
  const bounds = new Walk(scope, outcome).of(parse(text));
  return { bounds, ...outcome };
}

class Walk {
  readonly #scope: Scope;
  readonly #outcome: { time: number };

  constructor(scope: Scope, outcome: { time: number }) {
    this.#scope = scope;
    this.#outcome = outcome;
  }

  of(node: unknown): Bounds {
    const bounds = this.#visit(node as Node);
    this.#outcome.time += nodeTime + bounds.text / 1_000 + bounds.items / 500;
    // A list becomes text only when an operator or a function makes it one.
    if (bounds.items === 0) atMost(bounds.text, limits.text, 'text');
    atMost(bounds.items, limits.items, 'list');
    return bounds;
  }

  /** An opaque value must not leave the place where it is checked. */
  #plain(node: unknown): Bounds {
    const bounds = this.of(node);
    return bounds.opaque ? refuse('event') : bounds;
  }

  #visit(node: Node): Bounds {
    switch (node.type) {
      case 'Literal':
        return literal(node.value);
      case 'Identifier':
        return this.#identifier(String(node.name));
      case 'MemberExpression':
        return this.#member(node);
      case 'CallExpression':
        return this.#call(node);
      case 'ArrayExpression': {
        const all = (node.elements as Node[]).map((element) => this.#plain(element));
        return {
          ...(all.length > 0 ? either(...all) : { ...scalar, low: 0, high: 0 }),
          items: all.length,
          text: sumOfTexts(all),
        };
      }
      case 'ObjectExpression':
        return this.#object(node);
      case 'ConditionalExpression': {
        this.of(node.test);
        return either(this.of(node.consequent), this.of(node.alternate));
      }
      case 'LogicalExpression': {
        const [left, right] = [this.of(node.left), this.of(node.right)];
        // What is left over of `a && b` is never an object of `a`.
        return node.operator === '&&' ? either({ ...left, opaque: false }, right) : either(left, right);
      }
      case 'UnaryExpression':
        return this.#unary(node);
      case 'BinaryExpression':
        return this.#binary(node);
      default:
        return refuse(node.type);
    }
  }

  #identifier(name: string): Bounds {
    if (name === 'datum') return this.#scope.datum;
    if (name === 'event' || name === 'item') return { ...scalar, opaque: true };
    return constants.has(name) ? scalar : this.#scope.signal(name);
  }

  #member({ object, property, computed }: Node): Bounds {
    const holder = this.of(object);
    const key = property as Node;
    const name = computed && key.type !== 'Literal' ? undefined : String(key.name ?? key.value);
    if (name === undefined) this.#plain(key);
    if (name !== undefined && inherited.has(name)) refuse(name);
    if (holder.opaque) {
      if (name === undefined || !safe.test(name)) return refuse(`event.${name ?? '…'}`);
      return name === 'datum' ? this.#scope.row : { ...scalar, opaque: /^(item|mark|items|\d+)$/.test(name) };
    }
    if (name === 'length') return { ...scalar, low: 0, high: holder.items || holder.text };
    if (holder.member) return holder.member(name ?? '');
    return holder;
  }

  #call({ callee, arguments: args }: Node): Bounds {
    const name = String((callee as Node).name).replace(/^_/, '');
    const bound = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!bound) return refuse(name);
    const nodes = args as Node[];
    const isOpen = name === 'inScope' || name === 'isTuple' || this.#scope.handler;
    const bounds = nodes.map((node) => (isOpen ? this.of(node) : this.#plain(node)));
    const call: Call = {
      name,
      args: bounds,
      literals: nodes.map(literalOf),
      handler: this.#scope.handler,
      rows: this.#scope.rows,
      spend: (time) => (this.#outcome.time += time),
    };
    const distinct = bounds.reduce((product, one) => product * one.distinct, 1);
    return { ...scalar, distinct, ...bound(call) };
  }

  #object({ properties }: Node): Bounds {
    const members = (properties as { key: Node; value: Node }[]).map(({ key, value }) => {
      const name = String(key.name ?? key.value);
      if (inherited.has(name)) refuse(name);
      return [name, this.#scope.handler ? this.of(value) : this.#plain(value)] as const;
    });
    const all = members.map(([, bounds]) => bounds);
    return { ...either(scalar, ...all), text: sumOfTexts(all) };
  }

  #unary({ operator, argument }: Node): Bounds {
    const { low, high, distinct } = this.#unlisted(this.of(argument), operator);
    if (operator === '!') return { ...scalar, low: 0, high: 1, distinct: 2 };
    return operator === '-' ? { ...scalar, low: -high, high: -low, distinct } : { ...scalar, low, high, distinct };
  }

  #unlisted(bounds: Bounds, operator: unknown): Bounds {
    return bounds.opaque && operator !== '!' && !/=/.test(String(operator)) ? refuse('event') : bounds;
  }

  #binary({ operator, left: first, right: second }: Node): Bounds {
    const [a, b] = [first, second].map((part) => this.#unlisted(this.of(part), operator)) as [Bounds, Bounds];
    const distinct = a.distinct * b.distinct;
    const bins = a.bins ?? b.bins;
    const of = (low: number, high: number): Bounds => ({
      ...scalar,
      low: Number.isNaN(low) ? -Infinity : low,
      high: Number.isNaN(high) ? Infinity : high,
      distinct,
      ...(bins === undefined ? {} : { bins }),
    });
    switch (operator) {
      case '+': {
        const text = a.text + b.text === 0 ? 0 : (a.text || scalarText) + (b.text || scalarText);
        return { ...of(a.low + b.low, a.high + b.high), text };
      }
      case '-':
        return of(a.low - b.high, a.high - b.low);
      case '*':
      case '/': {
        if (operator === '/' && b.low <= 0 && b.high >= 0) return of(-Infinity, Infinity);
        const ends = [a.low, a.high].flatMap((x) => [b.low, b.high].map((y) => (operator === '*' ? x * y : x / y)));
        return of(Math.min(...ends), Math.max(...ends));
      }
      case '%':
        return of(-Math.max(-b.low, b.high), Math.max(-b.low, b.high));
      default:
        return /[=<>]/.test(String(operator)) && !/<<|>>/.test(String(operator))
          ? { ...scalar, low: 0, high: 1, distinct: 2 }
          : of(-(2 ** 31), 2 ** 32);
    }
  }
}

const sumOfTexts = (all: readonly Bounds[]): number => all.reduce((sum, { text }) => sum + (text || scalarText), 0);

function literal(value: unknown): Bounds {
  if (typeof value === 'number') return { ...scalar, low: value, high: value };
  return typeof value === 'string' ? { ...scalar, text: value.length } : scalar;
}

/** The value of a literal, a negative number included. */
function literalOf(node: Node): unknown {
  if (node.type === 'Literal') return node.value;
  if (node.type === 'CallExpression' && (node.callee as Node).name === 'regexp') {
    const source = literalOf((node.arguments as Node[])[0] ?? { type: '' });
    return typeof source === 'string' ? { source } : undefined;
  }
  if (node.type !== 'UnaryExpression' || node.operator !== '-') return undefined;
  const value = literalOf(node.argument as Node);
  return typeof value === 'number' ? -value : undefined;
}
