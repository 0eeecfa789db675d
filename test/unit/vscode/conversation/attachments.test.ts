/** What the user can attach to a message besides files. */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { MAX_IMAGES } from '../../../../src/shared/protocol/images.ts';
import type { Draft } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { makeItem, withItems } from '../../../support/item.ts';
import { PIXEL } from '../../../support/samples.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

interface Item {
  label: string;
  description?: string;
}
type Attach = (view: object) => Promise<void>;

const uri = { path: '/repo/model/orders.yml' };
const problem = (message: string, line: number): object => ({ message, range: { start: { line } } });
const toolCall = {
  name: 'svcSqlApi',
  input: JSON.stringify({ sqlQuery: 'SELECT 1', queryTitle: 'Orders' }),
  result: '{}',
};

describe('The attachment menu', () => {
  let attach: Attach;
  let attachFrom: (view: object, editor: object) => void;
  let listFiles: (view: object) => Promise<void>;
  let found: object[] = [];
  let problems: object[] = [];
  let picked: Item[] = [];
  let told: string[] = [];
  let answers: string[] = [];
  let texts: string[] = [];
  let chips: string[] = [];

  before(async () => {
    type Module = { attachContent: Attach; attachFrom: typeof attachFrom; listFiles: typeof listFiles };
    ({
      attachContent: attach,
      attachFrom,
      listFiles,
    } = await loadWithEditor<Module>('vscode/conversation/attachments.ts', {
      workspace: {
        asRelativePath: ({ path }: typeof uri) => path.replace('/repo/', ''),
        findFiles: () => Promise.resolve(found),
      },
      languages: { getDiagnostics: () => [[uri, problems]] },
      window: {
        showQuickPick: (items: Item[]) => {
          picked = items;
          const answer = answers.shift() ?? assert.fail('No more quick picks were expected.');
          return Promise.resolve(items.find(({ label }) => label.endsWith(answer)));
        },
        showInformationMessage: (text: string) => Promise.resolve(void told.push(text)),
      },
    }));
  });
  beforeEach(() => {
    [problems, told, texts, chips, found] = [[], [], [], [], []];
  });

  const post = ({ draft }: { draft: Draft }): void => {
    for (const { kind, name, text, cut } of draft.attachments ?? []) {
      texts.push(text);
      chips.push([kind, name, ...(cut ? ['cut'] : [])].join(' '));
    }
  };
  const attachTo = (thread: object, ...choices: string[]): Promise<void> => {
    answers = choices;
    return attach({ post, session: { thread } });
  };

  it('attaches a problem with its file and line', async () => {
    problems = [problem('Unknown cube', 0), problem('Unknown measure “net”', 11)];
    await attachTo(emptyThread('one'), 'Problem…', 'Unknown measure “net”');
    assert.deepEqual(texts, ['Problem in model/orders.yml:12: Unknown measure “net”\n']);
    assert.deepEqual(chips, ['problem orders.yml:12']);
    assert.deepEqual(
      picked.map(({ description }) => description),
      ['model/orders.yml:1', 'model/orders.yml:12'],
    );
  });

  it('lists the files of the workspace by their relative paths, in order', async () => {
    const posted: object[] = [];
    const at = (path: string) => ({ path, toString: () => `file://${path}` });
    found = [at('/repo/model/orders.yml'), at('/repo/README.md'), at('/repo/a.sql')];
    await listFiles({ post: (message: object) => posted.push(message) });
    const files = ['a.sql', 'model/orders.yml', 'README.md'].map((path) => ({ path, uri: `file:///repo/${path}` }));
    assert.deepEqual(posted, [{ type: 'files', files }]);
  });

  it('attaches the selected lines of an editor, or its whole file', () => {
    const document = { uri, languageId: 'yaml', getText: (range?: object) => (range ? 'sql: a' : 'cubes:') };
    const lines = (start: number, end: number) => ({
      start: { line: start },
      end: { line: end },
      isEmpty: start === end,
    });
    for (const selection of [lines(1, 3), lines(2, 2)]) attachFrom({ post }, { document, selection });
    assert.deepEqual(texts, [
      'About model/orders.yml:\n```yaml\nsql: a\n```\n',
      'About model/orders.yml:\n```yaml\ncubes:\n```\n',
    ]);
    assert.deepEqual(chips, ['selection orders.yml:2–4', 'file orders.yml']);
  });

  it('attaches the last SQL of the chat as a code block below its title', async () => {
    await attachTo(withItems(emptyThread('one'), makeItem('query', { toolCall })), 'Last SQL');
    assert.deepEqual(texts, ['Orders\n```sql\nSELECT 1\n```\n']);
    assert.deepEqual(chips, ['sql Orders']);
  });

  it('cuts a text that would leave no room for the question', async () => {
    const long = { ...toolCall, input: JSON.stringify({ sqlQuery: 'x'.repeat(50_000), queryTitle: 'Orders' }) };
    await attachTo(withItems(emptyThread('one'), makeItem('query', { toolCall: long })), 'Last SQL');
    assert.deepEqual(texts, [`Orders\n\`\`\`sql\n${'x'.repeat(40_000)}\n…\n\`\`\`\n`]);
    assert.deepEqual(chips, ['sql Orders cut']);
  });

  it('says so if there is no file, no problem or no SQL', async () => {
    await attachTo(emptyThread('one'), 'File…');
    await attachTo(emptyThread('one'), 'Problem…');
    await attachTo(emptyThread('one'), 'Last SQL');
    assert.deepEqual(texts, []);
    assert.deepEqual(told, [
      'There is no file to attach. Open a folder with files.',
      'There are no problems in this workspace.',
      'There is no generated SQL in this chat yet.',
    ]);
  });
});

describe('Picking images', () => {
  const files: Record<string, Uint8Array> = {
    '/pictures/pixel.png': Buffer.from(PIXEL, 'base64'),
    '/pictures/drawing.png': Buffer.from('<svg/>'),
    '/pictures/huge.png': new Uint8Array(5 * 1024 * 1024 + 1),
  };
  let pickImages: () => Promise<void>;
  let picked: string[] | undefined = [];
  const told: string[] = [];
  const read: string[] = [];
  const drafts: { images: object[] }[] = [];
  const view = { post: ({ draft }: { draft: { images: object[] } }): void => void drafts.push(draft) };

  before(async () => {
    const { attachContent } = await loadWithEditor<{ attachContent: Attach }>('vscode/conversation/attachments.ts', {
      workspace: {
        fs: {
          stat: ({ path }: { path: string }) => Promise.resolve({ size: files[path]?.length }),
          readFile: ({ path }: { path: string }) => Promise.resolve((read.push(path), files[path])),
        },
      },
      window: {
        showQuickPick: (items: Item[]) => Promise.resolve(items.find(({ label }) => label.endsWith('Image…'))),
        showOpenDialog: () => Promise.resolve(picked?.map((path) => ({ path }))),
        showWarningMessage: (text: string) => Promise.resolve(void told.push(text)),
      },
    });
    pickImages = () => attachContent(view);
  });
  beforeEach(() => {
    for (const list of [told, read, drafts]) list.length = 0;
  });

  it('attaches those with an allowed content and size, and names the others', async () => {
    picked = Object.keys(files);
    await pickImages();
    assert.deepEqual(drafts, [{ text: '', images: [{ mimeType: 'image/png', data: PIXEL, name: 'pixel.png' }] }]);
    assert.equal(told.length, 2);
    assert.match(told.join('\n'), /drawing\.png/);
    assert.match(told.join('\n'), /huge\.png/);
    assert.ok(!read.includes('/pictures/huge.png'), 'a file that is too large was read');
  });

  it('changes nothing if the dialog is closed, or no image is allowed', async () => {
    picked = undefined;
    await pickImages();
    picked = ['/pictures/drawing.png'];
    await pickImages();
    assert.deepEqual(drafts, []);
  });

  it('reads no more than show that there are too many', async () => {
    picked = Array.from({ length: 200 }, () => '/pictures/pixel.png');
    await pickImages();
    assert.equal(read.length, MAX_IMAGES + 1);
    assert.equal(drafts[0]?.images.length, MAX_IMAGES + 1);
  });
});
