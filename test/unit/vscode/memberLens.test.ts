/** The lenses in model files, with a stub of the editor. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Question } from '../../../src/evals/question.ts';
import { until } from '../../support/until.ts';
import { loadWithEditor } from '../../support/withEditor.ts';
import { questionNamed } from '../evals/support.ts';

interface Lens {
  line: number;
  command: { title: string; command: string; arguments: [{ name: string; languageId: string; text: string }] };
}
interface Provider {
  provideCodeLenses(document: object): Promise<Lens[]>;
}

const nothing = { dispose: () => undefined };
const ORDERS = `cubes:
  - name: orders
    sql_table: orders
    measures:
      - name: count
        type: count
      - name: revenue
        sql: >-
          amount
          - refund
`;
const SALES = 'views:\n  - name: sales\n    cubes:\n      - join_path: orders\n        includes: [revenue]\n';
const uriOf = (path: string) => ({ path: `/shop/${path}`, toString: () => `/shop/${path}` });
const folder = { uri: uriOf('') };
const onSales = questionNamed('a', { expectedSql: { sql: 'SELECT MEASURE(sales.revenue) FROM sales' } });

async function lensesOf(
  tests: Question[],
  past: Question[] = [],
  { isTrusted = true, text = ORDERS } = {},
): Promise<string[]> {
  let changed = 0;
  const { MemberLens } = await loadWithEditor<{ MemberLens: new (files: object, past: object) => Provider }>(
    'vscode/check/memberLens.ts',
    {
      CodeLens: class {
        readonly line: number;
        readonly command: Lens['command'];
        constructor({ line }: { line: number }, command: Lens['command']) {
          [this.line, this.command] = [line, command];
        }
      },
      Disposable: { from: () => nothing },
      EventEmitter: class {
        event = () => nothing;
        fire = () => (changed += 1);
      },
      Range: class {
        readonly line: number;
        constructor(line: number) {
          this.line = line;
        }
      },
      workspace: {
        isTrusted,
        getWorkspaceFolder: () => folder,
        findFiles: () => Promise.resolve(['model/orders.yml', 'model/sales.yml'].map(uriOf)),
        fs: {
          readFile: ({ path }: { path: string }) =>
            Promise.resolve(new TextEncoder().encode(path.endsWith('sales.yml') ? SALES : ORDERS)),
        },
        createFileSystemWatcher: () => ({
          ...{ onDidCreate: () => nothing, onDidChange: () => nothing, onDidDelete: () => nothing },
        }),
        onDidChangeWorkspaceFolders: () => nothing,
      },
    },
  );
  const provider = new MemberLens(
    { onDidChange: () => nothing, questionsOf: () => Promise.resolve(tests) },
    { load: () => Promise.resolve(past) },
  );
  const document = {
    ...{ uri: uriOf('model/orders.yml'), languageId: 'yaml', getText: () => text },
    positionAt: (offset: number) => text.slice(0, offset).split('\n').length,
  };
  const lenses = await provider.provideCodeLenses(document);
  if (past.length > 0) {
    await until(() => changed > 0);
    lenses.splice(0, Infinity, ...(await provider.provideCodeLenses(document)));
  }
  return lenses.map(
    ({
      line,
      command: {
        title,
        command,
        arguments: [about],
      },
    }) => [line, title, command, about.name, about.languageId, about.text].join('|'),
  );
}

describe('lenses in model files', () => {
  it('are at the members that questions use, also through a view in another file, and ask about the definition', async () => {
    assert.deepEqual(await lensesOf([onSales]), [
      '7|Ask · 1 question uses it|analyticsChat.askAboutSelection|orders.revenue|yaml|' +
        '- name: revenue\n  sql: >-\n    amount\n    - refund',
    ]);
  });

  it('count the questions of the history too, once they are read', async () => {
    const [lens] = await lensesOf([onSales], [questionNamed('b', { ...onSales, text: 'Money?', path: '' })]);
    assert.match(lens ?? '', /^7\|Ask · 2 questions use it\|/);
  });

  it('follow the text in the editor before it is saved', async () => {
    const text = `# Our orders\n${ORDERS}`;
    assert.match((await lensesOf([onSales], [], { text })).join(), /^8\|/);
  });

  it('are not in untrusted workspaces, at members that no question uses, or in the lists of a view', async () => {
    assert.deepEqual(await lensesOf([onSales], [], { isTrusted: false }), []);
    assert.deepEqual(await lensesOf([]), []);
    assert.deepEqual(await lensesOf([onSales], [], { text: SALES }), []);
  });
});
