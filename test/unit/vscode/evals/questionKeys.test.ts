/** Completion and hovers in question files, with a stub of the editor. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Uri, values } from '../../../support/editorValues.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

interface Provider {
  provideCompletionItems: (document: object, position: object) => Promise<{ label: string; insertText: string }[]>;
  provideHover: (document: object, position: object) => Promise<{ contents: string } | undefined>;
}

/** @returns the labels of the completions and the hover at the start of the second line of a file */
async function offered(path: string, { hasYaml = false, agentsPath = 'agents' } = {}): Promise<unknown[]> {
  let provider: Provider | undefined;
  const register = (_language: string, each: Provider) => ((provider = each), { dispose: () => undefined });
  const { provideQuestionKeys } = await loadWithEditor<{ provideQuestionKeys: () => void }>(
    'vscode/evals/questionKeys.ts',
    {
      ...values,
      languages: { registerCompletionItemProvider: register, registerHoverProvider: register },
      extensions: { getExtension: (id: string) => (hasYaml && id === 'redhat.vscode-yaml' ? {} : undefined) },
      workspace: {
        getWorkspaceFolder: () => ({}),
        asRelativePath: () => path,
        getConfiguration: () => ({ get: (key: string) => (key === 'agentsPath' ? agentsPath : undefined) }),
      },
      CompletionItem: class {
        readonly label: string;
        constructor(label: string) {
          this.label = label;
        }
      },
      CompletionItemKind: {},
      Hover: class {
        readonly contents: string;
        constructor(contents: string) {
          this.contents = contents;
        }
      },
    },
  );
  provideQuestionKeys();
  const document = { uri: Uri.file(path), getText: () => 'space: a\n\n' };
  const at = (line: number) => ({ line, character: 0, with: () => ({ line, character: 0 }) });
  const items = await provider!.provideCompletionItems(document, at(1));
  return [items.map(({ insertText }) => insertText).join(), (await provider!.provideHover(document, at(0)))?.contents];
}

describe('completion and hovers of keys', () => {
  const own = ['eval_questions:', 'The space of all questions in this file.'];

  it('are offered in the files with questions and access tests only', async () => {
    assert.deepEqual(await offered('.analytics-chat/questions.yml'), own);
    assert.deepEqual(await offered('agents/eval_questions/a.yml'), own);
    assert.deepEqual(await offered('.analytics-chat/access.yml'), ['access:', undefined]);
    for (const path of ['agents/config.yml', 'model/cubes/orders.yml', '.analytics-chat/baselines/a.yml'])
      assert.deepEqual(await offered(path), ['', undefined], path);
  });

  it('are left to the YAML extension, unless the manifest does not name the file', async () => {
    assert.deepEqual(await offered('.analytics-chat/questions.yml', { hasYaml: true }), ['', undefined]);
    const moved = { hasYaml: true, agentsPath: 'bi/agents' };
    assert.deepEqual(await offered('bi/agents/eval_questions.yml', moved), own);
    assert.deepEqual(await offered('agents/eval_questions.yml', moved), ['', undefined]);
  });
});
