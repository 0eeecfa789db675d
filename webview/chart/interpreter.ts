/**
 * Vega's interpreter of expressions, which needs no `unsafe-eval`, without interpreting constants: most channels of axes,
 * legends and marks are constant, and each interpretation creates an object with six functions.
 */
import { expressionInterpreter } from 'vega-interpreter';

/** An encoding as Vega's parser outputs it. */
interface Encoding {
  marktype: string;
  channels: Readonly<Record<string, { ast: Ast }>>;
}

interface Ast {
  type: string;
  value?: unknown;
  regex?: unknown;
}

type Item = Record<string, unknown>;
/** @returns whether the item has changed, as 0 or 1 */
type Encoder = (item: Item, parameters: unknown) => number;

/** The interpreter derives positions from each other if an encoding has these, even if they are constant. */
const spatial = new Set(['x', 'x2', 'xc', 'y', 'y2', 'yc']);

export const interpreter = {
  ...expressionInterpreter,

  /** @returns a function that sets the channels of an item */
  encode(context: unknown, { marktype, channels }: Encoding): Encoder {
    const all = Object.entries(channels);
    const isConstant = ([name, { ast }]: (typeof all)[number]): boolean =>
      ast.type === 'Literal' && ast.regex === undefined && !spatial.has(name);
    const constants = all.filter(isConstant).map(([name, { ast }]) => [name, ast.value] as const);
    const others = Object.fromEntries(all.filter((channel) => !isConstant(channel)));
    const encodeOthers = expressionInterpreter.encode(context, { marktype, channels: others }) as Encoder;
    return (item, parameters) => {
      let changed = 0;
      for (const [name, value] of constants) {
        if (item[name] === value) continue;
        item[name] = value;
        changed = 1;
      }
      return encodeOthers(item, parameters) | changed;
    };
  },
};
