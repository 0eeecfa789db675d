/** Completion and hovers in question files. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Disposable, Editor, pairs, Position, registered, TextDocument, type Range } from '../support.ts';

type Provide<Shown> = (document: TextDocument, at: Position) => Promise<Shown>;
type Item = { label: string; insertText: string; documentation: string; range: Range };
type Completion = { provideCompletionItems: Provide<Item[]> };
type Hover = { provideHover: Provide<{ contents: string; range: Range } | undefined> };

/** @returns the completions and the hover in the second and the first line of a file */
async function offered(path: string, { hasYaml = false, agentsPath = 'agents' } = {}): Promise<unknown[]> {
  const editor = Object.assign(new Editor(), { settings: { 'bank agentsPath': agentsPath } });
  const getExtension = (id: string): unknown => (hasYaml && id === 'redhat.vscode-yaml' ? {} : undefined);
  const questionFiles = { folders: [], onDidChange: () => new Disposable(() => undefined) };
  const vscode = editor.with({ extensions: { getExtension } });
  const area = await registered('evals', pairs({ questionFiles }).services, vscode);
  const { completion, hover }: { completion?: Completion; hover?: Hover } = editor.providers;
  assert.deepEqual([editor.selectors['completion'], editor.selectors['hover']], ['yaml', 'yaml']);
  const document = new TextDocument(`/bank/${path}`, 'space: a\nev\n');
  const items = await completion!.provideCompletionItems(document, new Position(1, 2));
  const found = await hover!.provideHover(document, new Position(0, 1));
  assert.equal(await hover!.provideHover(document, new Position(0, 8)), undefined, 'a value');
  area.dispose();
  assert.deepEqual(editor.providers, {});
  for (const { label, insertText, documentation, range } of items)
    assert.deepEqual([`${label}:`, documentation !== '', document.getText(range)], [insertText, true, 'ev']);
  if (found) assert.equal(document.getText(found.range), 'space');
  return [items.map(({ insertText }) => insertText).join(), found?.contents];
}

describe('completion and hovers of keys', () => {
  const own = ['eval_questions:', 'The space of all questions in this file.'];
  const moved = { hasYaml: true, agentsPath: 'bi/agents' };
  for (const [path, expected, options] of [
    ['.analytics-chat/questions.yml', own],
    ['agents/eval_questions/a.yml', own],
    ['.analytics-chat/access.yml', ['access:', undefined]],
    ['agents/config.yml', ['', undefined]],
    ['model/cubes/orders.yml', ['', undefined]],
    ['.analytics-chat/baselines/a.yml', ['', undefined]],
    // The YAML extension has the schema, unless the manifest does not name the file.
    ['.analytics-chat/questions.yml', ['', undefined], { hasYaml: true }],
    ['agents/eval_questions/a.yml', ['', undefined], { hasYaml: true }],
    ['.analytics-chat/access.yml', ['', undefined], moved],
    ['bi/agents/eval_questions.yml', own, moved],
    ['agents/eval_questions.yml', ['', undefined], moved],
  ] as const)
    it(`are ${expected[0] ? '' : 'not '}offered in ${path} for ${JSON.stringify(options ?? {})}`, async () =>
      assert.deepEqual(await offered(path, options), expected));
});
