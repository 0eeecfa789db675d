/** Text from outside can have any length, so regular expressions must take linear time. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { check } from 'recheck';
import ts from 'typescript';
import { decoderSource } from '../../src/insert/literals/decode.ts';
import { LANGUAGES } from '../../src/insert/literals/languages.ts';
import { closingSource } from '../../src/insert/literals/readLiteral.ts';
import { isFull } from '../support/runs.ts';
import { repoRoot } from '../vscode/paths.ts';

/** Expressions for inputs that are too short to be slow. */
const bounded: Record<string, string> = {
  '/[A-Za-z_]\\w*(?:\\.\\w*)*$/': 'src/shared/text/memberNames.ts: 300 characters before the cursor',
  '/[\\w.]*$/': 'src/shared/text/memberNames.ts: 300 characters before the cursor',
  '/[\\s*_~`"\'”’»)\\]]+$/': 'src/evals/grading/gradeBehavior.ts: 200 characters at the end of a line',
  '/\\w*$/': 'src/evals/files/schemaKeys.ts: lines of up to 1,000 characters',
  '/([A-Za-z_]\\w*)\\s*:(?=\\s|$)/g': 'src/evals/files/schemaKeys.ts: lines of up to 1,000 characters',
  '/"[^"]*"|\'[^\']*\'|([A-Za-z_]\\w*)\\s*:(?=\\s|$)|[[\\]{}]/g':
    'src/evals/files/schemaKeys.ts: lines of up to 1,000 characters',
  '/^[ \\t>]*(?:[-+*_=#`~:|]+|\\d{1,9}[.)]?)?[ \\t]*$/': 'webview/markdown/complete.ts: lines of up to 64 characters',
};

/** Expressions built at run time: an escaped text, a run of one character, or constant parts. */
const made = [
  'src/chat/history/search.ts',
  'src/insert/literals/decode.ts',
  'src/insert/literals/literalForms.ts',
  'src/insert/literals/readLiteral.ts',
  'src/shared/text/followUps.ts',
  'webview/find/matches.ts',
  'webview/markdown/openBlocks.ts',
];

const files = globSync(['src/**/*.ts', 'webview/**/*.{ts,tsx}'], { cwd: repoRoot });

interface Found {
  literals: string[];
  isMade: boolean;
}

function expressionsIn(source: string): Found {
  const found: Found = { literals: [], isMade: false };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.literals.push(node.text);
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp')
      found.isMade = true;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('x.tsx', source, ts.ScriptTarget.Latest, true));
  return found;
}

/** Without it, an expression takes linear time. */
const UNBOUNDED_REPETITION = /[*+]|\{\d+,/;

/**
 * The checker generates attacks on the expressions that it can't analyze, such as those with lookbehind: fewer in
 * `npm test`, and the same in every run.
 */
const attacks = isFull ? {} : { randomSeed: 1, maxInitialGenerationSize: 100, maxGenerationSize: 40, maxIteration: 3 };

async function problemOf(literal: string): Promise<string | undefined> {
  if (!UNBOUNDED_REPETITION.test(literal)) return undefined;
  const end = literal.lastIndexOf('/');
  // The checker doesn't know these flags, which don't affect the time.
  const flags = literal
    .slice(end + 1)
    .replace('d', '')
    .replace('v', 'u');
  // Without time limits, which a busy machine would exceed: the number of steps decides.
  const result = await check(literal.slice(1, end), flags, { ...attacks, timeout: null, attackTimeout: null });
  if (result.status === 'safe') return undefined;
  return result.status === 'vulnerable' ? `${literal}: ${result.complexity.summary}` : `${literal}: not known`;
}

describe('regular expressions', () => {
  const all = files.map((file) => ({ file, ...expressionsIn(readFileSync(join(repoRoot, file), 'utf8')) }));

  it('take linear time on any text', async function () {
    this.timeout(900_000);
    const literals = new Set(all.flatMap((each) => each.literals));
    assert.ok(literals.size > 100);
    const problems: string[] = [];
    for (const literal of literals) {
      const problem = literal in bounded ? undefined : await problemOf(literal);
      if (problem !== undefined) problems.push(problem);
    }
    assert.deepEqual(problems, []);
  });

  it('take linear time in the tables of literals too', async function () {
    this.timeout(900_000);
    const forms = Object.values(LANGUAGES).flatMap((row) => row.forms);
    const sources = new Set(forms.flatMap((form) => [form.open, closingSource(form), decoderSource(form.decoder)]));
    const problems: (string | undefined)[] = [];
    // Without the alternatives that match nothing, for which the checker would need its slow method.
    for (const source of sources) problems.push(await problemOf(`/${source.replaceAll('((?!))|', '')}/gm`));
    assert.deepEqual(
      problems.filter((problem) => problem !== undefined),
      [],
    );
  });

  it('are literals that can be checked, except in listed files', () => {
    assert.deepEqual(
      all.filter(({ file, isMade }) => isMade && !made.includes(file)).map(({ file }) => file),
      [],
    );
  });

  it('are detected if they take quadratic time', async () => {
    assert.match((await problemOf('/\\s*\\n\\s*/')) ?? '', /2nd degree/);
    assert.match((await problemOf('/^(a+)+$/')) ?? '', /exponential/);
    assert.match((await problemOf('/(?<!x)(a+)+$/')) ?? '', /exponential/);
    assert.match((await problemOf('/(?<!x)\\s*\\n\\s*(?=b)/')) ?? '', /polynomial/);
  });
});
