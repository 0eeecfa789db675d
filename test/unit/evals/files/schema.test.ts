/** The keys of question files and access tests: completion, hovers, and the schemas for YAML extensions. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, it } from 'mocha';
import { kindOfFile } from '../../../../src/evals/files/layout.ts';
import { keySchemas, type KeySchema } from '../../../../src/evals/files/schema.ts';
import { completeKey, describeKey } from '../../../../src/evals/files/schemaKeys.ts';
import { repoRoot } from '../../../vscode/paths.ts';

type Kind = keyof typeof keySchemas;

/** @param text the file, with `|` at the cursor */
function at<T>(text: string, kind: Kind, find: (...at: [string, number, number, KeySchema]) => T): T {
  const before = text.slice(0, text.indexOf('|')).split('\n');
  return find(text.replace('|', ''), before.length - 1, before.at(-1)!.length, keySchemas[kind]());
}
const names = (text: string, kind: Kind): string =>
  at(text, kind, completeKey)
    .keys.map(({ name }) => name)
    .join(' ');

describe('completion of keys', () => {
  const inQuestion = 'question sql certifiedQuery expect turns as space';
  const cases: [title: string, kind: Kind, text: string, keys: string][] = [
    ['at the top', 'ownQuestions', 'eval_questions: []\n|', 'space'],
    ['in an empty file', 'access', '|', 'access'],
    ['of a new entry', 'questions', 'eval_questions:\n  - |', 'name question sql certifiedQuery space'],
    [
      'of a new entry, after another one',
      'questions',
      'eval_questions:\n  - name: a\n  - q|',
      'name question sql certifiedQuery space',
    ],
    ['that the entry lacks', 'ownQuestions', 'eval_questions:\n  - name: a\n    |\n  - question: b', inQuestion],
    [
      'above the others of the entry',
      'ownQuestions',
      'eval_questions:\n- |\n  question: b\n  # c\n\n  sql: s\n- as: a',
      'name certifiedQuery expect turns as space',
    ],
    [
      'of a rule',
      'ownQuestions',
      'eval_questions:\n  - name: a\n    expect:\n      uses: a\n      |',
      'asks_back no_query avoids',
    ],
    [
      'of a rule in braces',
      'ownQuestions',
      'eval_questions:\n  - name: a\n    expect: { uses: [a], as|',
      'asks_back no_query avoids',
    ],
    [
      'of a turn',
      'ownQuestions',
      'eval_questions:\n  - name: a\n    turns:\n      - question: q\n        |',
      'sql certifiedQuery expect',
    ],
    [
      'of a rule of a turn',
      'ownQuestions',
      'eval_questions:\n  - name: a\n    turns:\n    - question: q\n      expect:\n        |',
      'asks_back no_query uses avoids',
    ],
    [
      'of an entry in braces',
      'ownQuestions',
      'eval_questions:\n  - {name: a, expect: {no_query: true}, |}',
      inQuestion.replace('expect ', ''),
    ],
    [
      'of an expectation',
      'access',
      'access:\n  - name: a\n    expect:\n      - as: europe\n        |',
      'only masked empty denied same_as',
    ],
    ['after a key, where there is none', 'ownQuestions', 'eval_questions:\n  - name: |', ''],
    ['of columns, which it doesn’t know', 'access', 'access:\n  - expect:\n      - only:\n          |', ''],
    ['in SQL, where there is none', 'ownQuestions', 'eval_questions:\n  - sql: >\n      SELECT\n      |', ''],
    ['of the platform’s files, which have no rules', 'questions', 'eval_questions:\n  - expect:\n      |', ''],
  ];
  for (const [title, kind, text, keys] of cases)
    it(`offers the keys ${title}`, () => {
      for (const eol of ['\n', '\r\n']) assert.equal(names(text.replaceAll('\n', eol), kind), keys);
    });

  it('replaces the typed letters, and inserts the only value', () => {
    const text = 'eval_questions:\n  - name: a\n    expect: { no|';
    const { start, keys } = at(text, 'ownQuestions', completeKey);
    assert.deepEqual(
      [start, keys.map(({ insertText }) => insertText).join()],
      [14, 'asks_back: true,no_query: true,uses: ,avoids: '],
    );
  });
});

describe('the hover of a key', () => {
  const text = 'eval_questions:\n  - name: a\n    expect: { no_query: true, uses: [x] }\n    sql: SELECT 1';
  const described = (key: string): string | undefined =>
    at(text.replace(key, `${key.slice(0, 2)}|${key.slice(2)}`), 'ownQuestions', describeKey)?.description;

  it('describes it, at any depth', () => {
    assert.equal(described('eval_questions'), 'Questions with their expected results.');
    assert.equal(described('name'), 'Name of the test, unique in its space.');
    assert.equal(described('no_query'), 'The agent runs no query.');
    assert.equal(described('sql'), 'SQL that returns the expected rows.');
  });

  it('is none for values', () => {
    assert.equal(described('true'), undefined);
    assert.equal(described('SELECT'), undefined);
  });
});

describe('the schemas for YAML extensions', () => {
  const manifest = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as {
    contributes: { yamlValidation: { fileMatch: string[]; url: string }[] };
  };

  it('are those of the kinds of files', () => {
    for (const path of [
      'agents/eval_questions.yml',
      'agents/eval_questions.yaml',
      'agents/eval_questions/a.yml',
      'agents/eval_questions/a.yaml',
      '.analytics-chat/questions.yml',
      '.analytics-chat/questions.yaml',
      '.analytics-chat/access.yml',
      '.analytics-chat/access.yaml',
    ]) {
      const urls = manifest.contributes.yamlValidation
        .filter(({ fileMatch }) => fileMatch.some((pattern) => matchesGlob(path, pattern)))
        .map(({ url }) => url);
      assert.deepEqual(urls, [`./dist/schemas/${kindOfFile(path)}.json`], path);
      assert.ok(keySchemas[kindOfFile(path) as Kind]().properties);
    }
  });
});
