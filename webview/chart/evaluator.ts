/**
 * Makes functions of parsed expressions once, where the interpreter walks the tree anew for every mark. Nothing is
 * turned into code. What is rare (functions of events and of the language itself) stays with the interpreter.
 */
import { expressionInterpreter } from 'vega-interpreter';
import { checkLists } from './texts.ts';

/** A node of a parsed expression. */
export interface Node {
  type: string;
  value?: unknown;
  raw?: string;
  regex?: { pattern: string; flags: string };
  name?: string;
  operator?: string;
  computed?: boolean;
  object?: Node;
  property?: Node;
  callee?: Node;
  test?: Node;
  consequent?: Node;
  alternate?: Node;
  left?: Node;
  right?: Node;
  argument?: Node;
  arguments?: Node[];
  elements?: Node[];
  properties?: { key: Node; value: Node }[];
}

/** What an expression sees. */
export interface Scope {
  datum?: unknown;
  item?: unknown;
  event?: unknown;
  /** Signals and the like, by `$` and their name. */
  parameters?: Record<string, unknown>;
}
type Evaluate = (scope: Scope) => unknown;

export interface Context {
  functions: Record<string, unknown>;
}

/** Is told what was made of what, by a function of that name or by an operator, and throws when it is too much. */
export type Meter = (name: string, values: readonly unknown[], made: unknown) => void;

const constants: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  E: Math.E,
  LN2: Math.LN2,
  LN10: Math.LN10,
  LOG2E: Math.LOG2E,
  LOG10E: Math.LOG10E,
  PI: Math.PI,
  SQRT1_2: Math.SQRT1_2,
  SQRT2: Math.SQRT2,
  MIN_VALUE: Number.MIN_VALUE,
  MAX_VALUE: Number.MAX_VALUE,
};

/** Functions of the language that marks are full of, and one that the interpreter gets wrong for a single number. */
const frequent: Readonly<Record<string, (...args: never[]) => unknown>> = {
  isFinite: Number.isFinite,
  isNaN: Number.isNaN,
  abs: Math.abs,
  ceil: Math.ceil,
  datetime: (...parts: [number]) => new Date(...parts),
  floor: Math.floor,
  max: Math.max,
  min: Math.min,
  round: Math.round,
  sqrt: Math.sqrt,
};

type Binary = (a: never, b: never) => unknown;
const binary: Readonly<Record<string, Binary>> = {
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
  '*': (a: number, b: number) => a * b,
  '/': (a: number, b: number) => a / b,
  '%': (a: number, b: number) => a % b,
  '>': (a: number, b: number) => a > b,
  '<': (a: number, b: number) => a < b,
  '>=': (a: number, b: number) => a >= b,
  '<=': (a: number, b: number) => a <= b,
  // The language is JavaScript's, its loose comparison included.
  '==': (a: unknown, b: unknown) => a == b, // eslint-disable-line eqeqeq
  '!=': (a: unknown, b: unknown) => a != b, // eslint-disable-line eqeqeq
  '===': (a: unknown, b: unknown) => a === b,
  '!==': (a: unknown, b: unknown) => a !== b,
  '&': (a: number, b: number) => a & b,
  '|': (a: number, b: number) => a | b,
  '^': (a: number, b: number) => a ^ b,
  '<<': (a: number, b: number) => a << b,
  '>>': (a: number, b: number) => a >> b,
  '>>>': (a: number, b: number) => a >>> b,
};
const unary: Readonly<Record<string, (value: never) => unknown>> = {
  '+': (value: unknown) => Number(value),
  '-': (value: unknown) => -Number(value),
  '~': (value: number) => ~value,
  '!': (value: unknown) => !value,
};

/** @returns a function that gives the value of an expression */
export function evaluator(node: Node | undefined, context: Context, meter: Meter = () => undefined): Evaluate {
  if (!node) throw new Error('Incomplete expression');
  const of = (part: Node | undefined): Evaluate => evaluator(part, context, meter);
  switch (node.type) {
    case 'Literal':
      return literal(node);
    case 'Identifier':
      return identifier(node.name ?? '');
    case 'MemberExpression':
      return member(of(node.object), node.computed ? of(node.property) : constant(node.property?.name));
    case 'CallExpression':
      return call(node, context, meter);
    case 'ArrayExpression': {
      const elements = (node.elements ?? []).map(of);
      return (scope) => elements.map((element) => element(scope));
    }
    case 'ObjectExpression':
      return object(node, of);
    case 'BinaryExpression': {
      const [left, right, apply] = [of(node.left), of(node.right), operation(binary, node.operator) as Binary];
      return node.operator === '+' ? sum(left, right, meter) : operated(apply, left, right);
    }
    case 'UnaryExpression': {
      const [argument, apply] = [of(node.argument), operation(unary, node.operator)];
      return (scope) => apply(unlisted(argument(scope)) as never);
    }
    case 'ConditionalExpression':
      return choice(of(node.test), of(node.consequent), of(node.alternate));
    case 'LogicalExpression': {
      const [left, right] = [of(node.left), of(node.right)];
      return node.operator === '&&' ? (scope) => left(scope) && right(scope) : (scope) => left(scope) || right(scope);
    }
    default:
      throw new Error(`Unknown expression: ${node.type}`);
  }
}

/** Operators turn lists into text, which takes its time. */
function unlisted(value: unknown): unknown {
  if (typeof value === 'object') checkLists([value]);
  return value;
}

const operated =
  (apply: Binary, left: Evaluate, right: Evaluate): Evaluate =>
  (scope) =>
    apply(unlisted(left(scope)) as never, unlisted(right(scope)) as never);

/** Numbers are added much more often than texts are put together. */
function sum(left: Evaluate, right: Evaluate, meter: Meter): Evaluate {
  const add = operated(binary['+'] as Binary, left, right);
  return (scope) => {
    const made = add(scope);
    if (typeof made === 'string') meter('+', [], made);
    return made;
  };
}

const constant =
  (value: unknown): Evaluate =>
  () =>
    value;

const choice =
  (test: Evaluate, then: Evaluate, otherwise: Evaluate): Evaluate =>
  (scope) =>
    test(scope) ? then(scope) : otherwise(scope);

function operation<Operation>(table: Readonly<Record<string, Operation>>, operator = ''): Operation {
  const found = Object.hasOwn(table, operator) ? table[operator] : undefined;
  if (!found) throw new Error(`Unknown operator: ${operator}`);
  return found;
}

/** A pattern remembers where it stopped, so each evaluation gets its own. */
function literal({ value, regex }: Node): Evaluate {
  return regex ? () => new RegExp(regex.pattern, regex.flags) : constant(value);
}

function identifier(name: string): Evaluate {
  if (name === 'datum') return (scope) => scope.datum;
  if (name === 'item') return (scope) => scope.item;
  if (name === 'event') return (scope) => scope.event;
  if (Object.hasOwn(constants, name)) return constant(constants[name]);
  return (scope) => scope.parameters?.[`$${name}`];
}

/** A function is never handed out: no expression has a use for one but to get at what it must not. */
function member(object: Evaluate, property: Evaluate): Evaluate {
  return (scope) => {
    const holder = object(scope) as Record<PropertyKey, unknown>;
    const value = holder[unlisted(property(scope)) as PropertyKey];
    return typeof value === 'function' ? undefined : value;
  };
}

function object({ properties = [] }: Node, of: (node: Node) => Evaluate): Evaluate {
  const entries = properties.map(({ key, value }): [string, Evaluate] => [String(key.name ?? key.value), of(value)]);
  return (scope) => Object.fromEntries(entries.map(([name, value]) => [name, value(scope)]));
}

function call(node: Node, context: Context, meter: Meter): Evaluate {
  const name = (node.callee?.name ?? '').replace(/^_/, '');
  const args = (node.arguments ?? []).map((argument) => evaluator(argument, context, meter));
  if (name === 'if') return choice(...(args as [Evaluate, Evaluate, Evaluate]));
  const own = context.functions[name];
  // What every object has is not among the functions that were registered.
  if (own !== undefined && own === Reflect.get(Object.prototype, name)) throw new Error(`Unknown function: ${name}`);
  if (typeof own !== 'function' && Object.hasOwn(frequent, name)) {
    const target = frequent[name] as (...values: unknown[]) => unknown;
    return (scope) => target(...args.map((argument) => unlisted(argument(scope))));
  }
  return (scope) => {
    const values = args.map((argument) => argument(scope));
    if (!takesLists.has(name)) checkLists(values);
    const made =
      typeof own === 'function'
        ? (Reflect.apply(own, context.functions, values) as unknown)
        : interpreted(context, node, values, scope.event);
    meter(name, values, made);
    return made;
  };
}

/** Functions that never turn a list into text, so that it may hold whatever it likes. */
const takesLists = new Set('length extent indexof lastindexof slice reverse merge pluck'.split(' '));

/** Leaves a call to the interpreter. */
function interpreted(context: Context, node: Node, values: readonly unknown[], event: unknown): unknown {
  const { event: handle } = expressionInterpreter as unknown as {
    event(context: Context, expression: { ast: Node }): (event: unknown) => unknown;
  };
  const ast = { ...node, arguments: values.map((value) => ({ type: 'Literal', value })) };
  return handle(context, { ast })(event);
}
