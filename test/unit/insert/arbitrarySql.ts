/** Random SQL from parts that break naive insertion: quotes, braces, Jinja, line ends, tabs, nested comments. */
import fc from 'fast-check';
import { runs as repetitions } from '../../support/runs.ts';
import { anyText } from '../../support/text.ts';

const PIECES = [
  'SELECT',
  'FROM orders',
  'MEASURE(orders.count)',
  ' ',
  '  ',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\t',
  "'",
  "''",
  '"',
  '`',
  '\\',
  '\\\\',
  '\\{',
  '{',
  '}',
  '{{',
  '}}',
  '{%',
  '%}',
  '{#',
  '#}',
  '{% raw %}',
  '{% endraw %}',
  '{%- endraw -%}',
  'endraw',
  '${',
  '$',
  '$$',
  '$tag$',
  '/*',
  '*/',
  '--',
  ';',
  ';;',
  ' # ',
  ': ',
  '- ',
  '|',
  '>',
  '&a',
  '*b',
  '!t',
  '%',
  '@',
  '?',
  '[',
  ']',
  ',',
  '0',
  'é',
  '日本',
  '\u{1f469}\u200d\u{1f4bb}',
  '\u2028',
  '\u0085',
  '\u202e',
  '\u200b',
  '\u00a0',
  '\ufeff',
  '\u0000',
  '\u0007',
  '\u007f',
  '---',
  '...',
  'null',
  'true',
  '<<',
  "E'\\''",
  "U&'\\0041'",
];

/** Any text of such parts, valid SQL or not; at least one character. */
export const hostileSql = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...PIECES) }, anyText({ maxLength: 3 })), {
    minLength: 1,
    maxLength: 14,
  })
  .map((pieces) => pieces.join('').toWellFormed())
  .filter((sql) => sql !== '');

const literal = fc.constantFrom(
  "'a\n  b'",
  '\'{"a": 1}\'',
  '$$ x\n y; $$',
  '"Col\n  umn"',
  "'{{ x }}'",
  '/* a\n   /* b */ c */',
  "'it''s'",
);
const word = fc.constantFrom(
  'SELECT',
  'a',
  'b.c',
  'FROM',
  'WHERE',
  '=',
  '(',
  ')',
  ',',
  '1.5',
  '-- note\n',
  '\n',
  '\n  ',
  '\n\t',
  '\n\n',
);

/** Multi-line SQL whose literals and comments are closed. */
export const tidySql = fc
  .array(fc.oneof({ weight: 3, arbitrary: word }, literal), { minLength: 1, maxLength: 16 })
  .map((words) => words.join(' '));

/** Number of runs of each property, and their seed. */
export const runs = {
  numRuns: repetitions(120, 4000),
  seed: 20,
};
