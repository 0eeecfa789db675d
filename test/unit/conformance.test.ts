import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, it } from 'mocha';
import ts from 'typescript';

const tests = import.meta.dirname;
const matrix = readFileSync(resolve(tests, '../conformance.md'), 'utf8');

interface Row {
  id: string;
  tests: string[];
}

const rows: Row[] = matrix.split('\n').flatMap((line) => {
  const [, id = '', , client = '', service = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
  if (!/^\d[\d.]*-\d+$/.test(id)) return [];
  return [{ id, tests: [client, service].filter((cell) => cell !== '—') }];
});

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Patterns of all titles in a test file, with placeholders for template parts. */
function titlesIn(file: string): RegExp[] {
  const found: RegExp[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'it') {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title)) found.push(new RegExp(`^${literally(title.text)}$`));
      else if (title && ts.isTemplateExpression(title)) {
        const rest = title.templateSpans.map(({ literal }) => `(.+)${literally(literal.text)}`).join('');
        found.push(new RegExp(`^${literally(title.head.text)}${rest}$`));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return found;
}

/** The text of a test file and of its local imports, which contain the parts of its templates. */
function sourcesOf(file: string): string {
  const support = join(dirname(file), 'support');
  const beside = existsSync(support) ? readdirSync(support).map((name) => join(support, name)) : [];
  return [file, ...beside].map((path) => readFileSync(path, 'utf8')).join('\n');
}

const known = new Map<string, { titles: RegExp[]; sources: string }>();

/** @returns the problem of a reference of the form `folder/file: title`, or `undefined` */
function problemOf(reference: string): string | undefined {
  const [, name, title] = /^([\w/]+): (.+)$/.exec(reference) ?? [];
  if (name === undefined || title === undefined) return `“${reference}” names no test`;
  const file = join(tests, `${name}.test.ts`);
  if (!existsSync(file)) return `there is no ${name}.test.ts`;
  const { titles, sources } = known.get(file) ?? { titles: titlesIn(file), sources: sourcesOf(file) };
  known.set(file, { titles, sources });
  const isThere = titles.some((pattern) =>
    pattern
      .exec(title)
      ?.slice(1)
      .every((part) => sources.includes(part)),
  );
  return isThere ? undefined : `${name} has no test “${title}”`;
}

describe('the conformance matrix', () => {
  it('has a row for every rule, each with a unique id', () => {
    assert.ok(rows.length >= 120, `${rows.length} rows`);
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
    const parts = new Set(rows.map(({ id }) => id.split(/[.-]/)[0]));
    assert.deepEqual([...parts], ['2', '3', '4', '5', '6', '7', '8', '9']);
  });

  it('names a test for every rule', () => {
    assert.deepEqual(
      rows.filter((row) => row.tests.length === 0).map(({ id }) => id),
      [],
    );
  });

  it('names only existing tests', () => {
    const problems = rows.flatMap(({ id, tests: named }) =>
      named.map(problemOf).flatMap((problem) => (problem ? [`${id}: ${problem}`] : [])),
    );
    assert.deepEqual(problems, []);
    assert.ok(problemOf('api/client: a title that nobody wrote'));
    assert.ok(problemOf('api/nothing: posts JSON'));
    assert.ok(problemOf('sandbox/users: answers 400 to a title that nobody wrote'));
    assert.ok(problemOf('posts JSON'));
  });
});
