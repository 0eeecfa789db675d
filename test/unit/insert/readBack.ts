/** Reads files back with the tools that process them. */
import assert from 'node:assert/strict';
import { compileFunction, createContext, runInContext } from 'node:vm';
import { parseDocument } from 'yaml';
import { mayEndInLineComment } from '../../../src/insert/sql/fitSql.ts';

/** Renders Jinja text that contains only `raw` blocks, with Jinja's own rules for their ends. */
export function renderJinja(text: string): string {
  const open = /\{(?:\{|%|#)/g;
  let rendered = '';
  let at = 0;
  for (let mark = open.exec(text); mark !== null; mark = open.exec(text)) {
    const begin = /\{%[-+]?\s*raw\s*-?%\}/y;
    begin.lastIndex = mark.index;
    assert.ok(begin.test(text), `Jinja would act on: ${text.slice(mark.index, mark.index + 40)}`);
    const end = /\{%[-+]?\s*endraw\s*[-+]?%\}/g;
    end.lastIndex = begin.lastIndex;
    const close = end.exec(text);
    assert.ok(close, 'a raw block must end');
    rendered += text.slice(at, mark.index) + text.slice(begin.lastIndex, close.index);
    at = end.lastIndex;
    open.lastIndex = at;
  }
  return rendered + text.slice(at);
}

/** @returns the SQL as a literal holds it: behind a comment at its end, there is a line end */
export const embedded = (sql: string): string => (mayEndInLineComment(sql) ? `${sql}\n` : sql);

/** Decodes a value of the data model like the platform's compiler: a backslash escapes the next character. */
export const readTemplate = (text: string): string => text.replace(/\\([\s\S])/g, '$1');

/** Parses YAML strictly: any error or warning fails. */
export function parseYaml(text: string): unknown {
  const document = parseDocument(text, { strict: true });
  assert.deepEqual([...document.errors, ...document.warnings].map(String), [], text);
  return document.toJS();
}

/** Evaluates JavaScript; `cube`, `view` and `out` record their arguments. */
export function evaluate(text: string): { value: unknown; passed: unknown[] } {
  const passed: unknown[] = [];
  const collect = (...values: unknown[]): void => void passed.push(...values);
  const context = createContext({ cube: collect, view: collect, out: collect });
  return { value: runInContext(text, context), passed };
}

/** @returns what JavaScript passes to `cube`, `view` and `out`; in no context of its own, as thousands fill the memory */
export function argumentsIn(text: string): unknown[] {
  const passed: unknown[] = [];
  const collect = (...values: unknown[]): void => void passed.push(...values);
  compileFunction(text, ['cube', 'view', 'out'])(collect, collect, collect);
  return passed;
}

/** Every string in a value, at any depth. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
