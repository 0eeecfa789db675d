/** Checks an expression of a chart and bounds its value. */
import { parseExpression } from 'vega-expression';
import { t } from '../../text/l10n.ts';
import { atMost, ChartProblem, limits, refuse } from '../limits.ts';
import { either, none, scalar, type Bounds } from './bounds.ts';
import { boundsOfCall, type Literal } from './functions.ts';

export interface Scope {
  /** A field of the row; without a name, the whole row. */
  field: (name?: string) => Bounds;
  datum: Bounds;
  signal: (name: string) => Bounds;
  rows: (name: string) => Bounds;
  /** Whether it is an event handler, which only Vega-Lite's own code contains. */
  handler: boolean;
}

interface Node {
  type: string;
  [part: string]: unknown;
}

/** Microseconds per node in the interpreter. */
const nodeTime = 0.15;
const constants = new Set('NaN E LN2 LN10 LOG2E LOG10E PI SQRT1_2 SQRT2 MIN_VALUE MAX_VALUE'.split(' '));
/** Properties of every object, through which an expression could reach code. */
const inherited = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'getter']);
/** Properties of events and scene items that contain plain values or items. */
const safe =
  /^(item|mark|marktype|role|name|datum|isVoronoi|items|\d+|(shift|alt|ctrl|meta)Key|key|delta(X|Y|Mode)|width|height)$/;
const flag = { low: 0, high: 1, distinct: 2 };

/**
 * Analyzes an expression. The language has no loops, so bounded arguments bound the work.
 * @returns bounds of its value, and the approximate microseconds of one evaluation
 * @throws ChartProblem if it calls, reads or creates something that is not allowed
 */
export function checkExpression(text: string, scope: Scope): { bounds: Bounds; time: number } {
  const walk = new Walk(scope);
  const bounds = walk.of(parse(text));
  return { bounds, time: walk.time };
}

function parse(text: string): unknown {
  try {
    return parseExpression(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new ChartProblem('invalid', t('An expression of the chart can’t be parsed: {0}', reason.slice(0, 200)));
  }
}

class Walk {
  time = 0;
  readonly #scope: Scope;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  of(part: unknown): Bounds {
    const bounds = { ...scalar, ...this.#visit(part as Node) };
    this.time += nodeTime + bounds.text / 1_000 + bounds.items / 500;
    // For a list, `text` bounds the text that an operator or a function would make of it.
    if (bounds.items === 0) atMost(bounds.text, limits.text, 'text');
    atMost(bounds.items, limits.rows, 'list');
    return bounds;
  }

  /** Rejects an opaque value: it may be used only where its properties are checked. */
  #plain(node: unknown): Bounds {
    const bounds = this.of(node);
    return bounds.opaque ? refuse('event') : bounds;
  }

  #visit(node: Node): Partial<Bounds> {
    const { operator, name, value } = node;
    switch (node.type) {
      case 'Literal':
        return typeof value === 'number' ? { low: value, high: value } : { text: String(value).length };
      case 'Identifier':
        if (name === 'datum') return this.#scope.datum.row ? this.#scope.field() : this.#scope.datum;
        if (name === 'event' || name === 'item') return { opaque: true };
        return constants.has(String(name)) ? scalar : this.#scope.signal(String(name));
      case 'MemberExpression':
        return this.#member(node);
      case 'CallExpression':
        return this.#call(node);
      case 'ArrayExpression':
        return this.#collected(node.elements as Node[]);
      case 'ObjectExpression':
        for (const { key, computed } of node.properties as Node[]) {
          const { name: plain, value: quoted } = key as Node;
          if (computed || inherited.has(String(plain ?? quoted))) refuse(String(plain ?? quoted));
        }
        return { ...this.#collected((node.properties as Node[]).map((one) => one.value as Node)), items: 0 };
      case 'ConditionalExpression':
        this.of(node.test);
        return either(this.of(node.consequent), this.of(node.alternate));
      case 'LogicalExpression': {
        const [left, right] = [this.of(node.left), this.of(node.right)];
        // If `a && b` evaluates to `a`, it is not an object.
        return either(operator === '&&' ? { ...left, opaque: false } : left, right);
      }
      case 'UnaryExpression': {
        const argument = operator === '!' ? this.of(node.argument) : this.#plain(node.argument);
        const { low, high, distinct } = operator === '!' ? flag : argument;
        return operator === '-' ? { low: -high, high: -low, distinct } : { low, high, distinct };
      }
      case 'BinaryExpression':
        return this.#binary(node);
      default:
        return refuse(node.type);
    }
  }

  #call(node: Node): Partial<Bounds> {
    const nodes = node.arguments as Node[];
    const callee = node.callee as Node;
    if (callee.type !== 'Identifier') refuse(`.${String((callee.property as Node | undefined)?.name ?? '…')}()`);
    const name = String(callee.name).replace(/^_/, '');
    const { handler, rows } = this.#scope;
    const isOpen = handler || name === 'inScope' || name === 'isTuple';
    const args = nodes.map((one) => (isOpen ? this.of(one) : this.#plain(one)));
    const literals = nodes.map(literalOf);
    return boundsOfCall({ name, args, literals, handler, rows, spend: (time) => (this.time += time) });
  }

  #collected(nodes: readonly Node[]): Partial<Bounds> {
    const all = nodes.map((node) => (this.#scope.handler ? this.of(node) : this.#plain(node)));
    const items = Math.max(all.length, ...all.map((one) => one.items));
    const text = all.reduce((sum, one) => sum + (one.text || 32), 0);
    return { ...either(none, ...all), items, text, distinct: all.reduce((product, one) => product * one.distinct, 1) };
  }

  #member({ object, property, computed }: Node): Bounds {
    const isRow = (object as Node).name === 'datum' && this.#scope.datum.row;
    const holder = isRow ? { ...scalar, row: true } : this.of(object);
    const key = property as Node;
    const name = computed && key.type !== 'Literal' ? undefined : String(key.name ?? key.value);
    if (name === undefined) this.#plain(key);
    else if (inherited.has(name)) refuse(name);
    if (holder.opaque) {
      if (name === undefined || !safe.test(name)) return refuse(`event.${name ?? '…'}`);
      return name === 'datum' ? this.#scope.field() : { ...scalar, opaque: /^(item|mark|items|\d+)$/.test(name) };
    }
    if (name === 'length') return { ...scalar, low: 0, high: holder.items || holder.text };
    return holder.row ? this.#scope.field(name) : holder;
  }

  #binary({ operator, left, right }: Node): Partial<Bounds> {
    const compares = /^[!=]==?$/.test(String(operator));
    const [a, b] = [left, right].map((side) => (compares ? this.of(side) : this.#plain(side))) as [Bounds, Bounds];
    if (compares || /^[<>]=?$/.test(String(operator))) return flag;
    const text = operator === '+' && a.text + b.text > 0 ? (a.text || 32) + (b.text || 32) : 0;
    const ranges: Readonly<Record<string, [number, number]>> = {
      '+': [a.low + b.low, a.high + b.high],
      '-': [a.low - b.high, a.high - b.low],
      ...(b.low === b.high && b.low > 0 ? { '/': [a.low / b.low, a.high / b.low] } : {}),
    };
    const [low, high] = (text === 0 ? ranges[String(operator)] : undefined) ?? [-Infinity, Infinity];
    return { low, high, text, distinct: a.distinct * b.distinct };
  }
}

/** The value of a literal, including negative numbers and regular expressions. */
function literalOf({ type, value, regex, operator, callee, ...rest }: Node): Literal {
  if (type === 'Literal') return regex ? { source: (regex as { pattern: string }).pattern } : (value as Literal);
  if (type === 'CallExpression' && (callee as Node).name === 'regexp') {
    const source = literalOf((rest.arguments as Node[])[0] ?? { type: '' });
    return typeof source === 'string' ? { source } : undefined;
  }
  const argument = type === 'UnaryExpression' && operator === '-' ? literalOf(rest.argument as Node) : undefined;
  return typeof argument === 'number' ? -argument : undefined;
}
