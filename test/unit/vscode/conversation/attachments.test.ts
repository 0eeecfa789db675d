/** What the user can attach to a message. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Draft, ToWebview } from '../../../../src/shared/protocol/chat.ts';
import type * as attachments from '../../../../src/vscode/conversation/attachments.ts';
import { MAX_IMAGE_BYTES, MAX_IMAGES } from '../../../../src/shared/protocol/images.ts';
import { PIXEL } from '../../../support/samples.ts';
import { Editor, emptyThread, pairs, Range, TextDocument, TextEditor, Uri, uriAt, withQuery } from '../support.ts';
import type { Thread } from '../support.ts';

let editor: Editor;
let module: typeof attachments;
let drafts: Draft[];
let read: string[];
const image = new Map<string, Uint8Array>([
  ['/shop/pictures/pixel.png', Buffer.from(PIXEL, 'base64')],
  ['/shop/pictures/photo.JPG', Buffer.from(PIXEL, 'base64')],
  // Larger than what is encoded at once.
  ['/shop/pictures/my chart.png', Buffer.concat([Buffer.from(PIXEL, 'base64'), Buffer.alloc(100_000, 'rows')])],
  ['/shop/pictures/huge.png', new Uint8Array(MAX_IMAGE_BYTES + 1)],
]);
const problem = (message: string, line: number) => ({ message, range: new Range(line, 0, line, 1) });
let problems: [Uri, object[]][];
let picked: string[] | undefined;
let options: object;

beforeEach(async () => {
  [editor, drafts, read, problems, picked] = [new Editor(), [], [], [], undefined];
  editor.more = {
    languages: { getDiagnostics: () => problems },
    window: { showOpenDialog: (shown: object) => ((options = shown), Promise.resolve(picked?.map(Uri.file))) },
  };
  for (const [path, { length }] of image) editor.sizes.set(path, length);
  editor.sizes.set('/shop/pictures/my chart.png', MAX_IMAGE_BYTES);
  editor.reading = (path) => (read.push(path), Promise.resolve(image.get(path)!));
  module = await editor.load('conversation/attachments');
});
const post = (message: ToWebview): unknown => message.type === 'compose' && drafts.push(message.draft);
const attach = (thread: Thread, ...picks: string[]): Promise<void> => {
  editor.picks = picks;
  return module.attachContent({ post, session: { thread } } as never);
};
/** @returns the chips with their texts */
const chips = (): (string | undefined)[][] =>
  drafts.flatMap(({ attachments = [] }) =>
    attachments.map(({ kind, name, text, cut }) => [[kind, name, ...(cut ? ['cut'] : [])].join(' '), text]),
  );

describe('the attachment menu', () => {
  it('attaches a problem with its file and line', async () => {
    problems = [
      [Uri.file('/shop/model/a.yml'), [problem('Unknown cube', 0)]],
      [uriAt('/bank/model/orders.yml'), [problem('Unknown cube', 3), problem('Unknown measure “net”', 11)]],
    ];
    for (const pick of [[], ['Unknown measure “net”']]) await attach(emptyThread('one'), 'Problem…', ...pick);
    const text = 'Problem in bank/model/orders.yml:12: Unknown measure “net”\n';
    assert.deepEqual(chips(), [['problem orders.yml:12', text]]);
    assert.deepEqual(editor.described[1], [
      'shop/model/a.yml:1',
      ...[4, 12].map((line) => `bank/model/orders.yml:${line}`),
    ]);
    assert.deepEqual([editor.prompts.at(-1), editor.messages], ['Attach a problem', []]);
  });

  it('lists the files of the workspace by their relative paths, in order, and attaches the chosen one', async () => {
    const others = ['/shop/node_modules/x/a.sql', '/shop/.git/config'];
    for (const path of ['/shop/model/orders.yml', '/shop/README.md', '/bank/a.sql', ...others])
      editor.files.set(path, path);
    const files = [
      { path: 'bank/a.sql', uri: 'vscode-vfs://github/bank/a.sql' },
      { path: 'shop/model/orders.yml', uri: 'file:///shop/model/orders.yml' },
      { path: 'shop/README.md', uri: 'file:///shop/README.md' },
    ];
    const posted: ToWebview[] = [];
    await module.listFiles({ post: (message: ToWebview) => posted.push(message) } as never);
    assert.deepEqual(posted, [{ type: 'files', files }]);
    await attach(emptyThread('one'), 'File…', 'shop/README.md');
    assert.deepEqual(chips(), [['file README.md', 'About shop/README.md:\n```sql\n/shop/README.md\n```\n']]);
    assert.equal(editor.prompts.at(-1), 'Attach a file');
    for (const path of image.keys()) {
      editor.files.set(path, '');
      await attach(emptyThread('one'), 'File…', path.slice(1));
    }
    assert.equal(drafts.flatMap(({ images }) => images.map(({ name }) => name)).join(), 'pixel.png,my chart.png');
    assert.equal(chips().length, 1);
  });

  it('attaches the selection of the editor with its lines', async () => {
    editor.active = new TextEditor(new TextDocument('/bank/model/a.sql', 'a\nb\nc'), [[2, 5]]);
    await attach(emptyThread('one'), 'Selection');
    editor.active = new TextEditor(new TextDocument(new Uri('untitled', '', 'Untitled-1'), 'a', 'yaml'), [0]);
    await attach(emptyThread('one'), 'Selection');
    assert.deepEqual(chips(), [
      ['selection a.sql:2–3', 'About bank/model/a.sql:\n```sql\nb\nc\n```\n'],
      ['file Untitled-1', 'About Untitled-1:\n```yaml\na\n```\n'],
    ]);
    assert.deepEqual(editor.icons[0], ['file-media', 'file', 'selection', 'warning', 'database']);
  });

  it('attaches the last SQL of the chat below its title, cut if it would leave no room for the question', async () => {
    for (const [queryTitle, name, sqlQuery, text, cut] of [
      ['Orders', 'Orders', 'SELECT 1', 'SELECT 1', ''],
      ['', 'SQL', 'x'.repeat(40_000), 'x'.repeat(40_000), ''],
      ['Orders', 'Orders', 'x'.repeat(50_000), `${'x'.repeat(40_000)}\n…`, ' cut'],
    ] as const) {
      await attach(withQuery(pairs().second, 't9', { sqlQuery, queryTitle }), 'Last SQL');
      assert.deepEqual(chips().pop(), [`sql ${name}${cut}`, `${name}\n\`\`\`sql\n${text}\n\`\`\`\n`]);
    }
    assert.deepEqual(editor.prompts, Array(3).fill('Attach to the message'));
  });

  it('says so if there is no file, no selection, no problem or no SQL', async () => {
    for (const what of ['File…', 'Selection', 'Problem…', 'Last SQL']) await attach(emptyThread('one'), what);
    assert.deepEqual(editor.messages, [
      'There is no file to attach. Open a folder with files.',
      'Open a file and select some text to attach it.',
      'There are no problems in this workspace.',
      'There is no generated SQL in this chat yet.',
    ]);
    editor.active = new TextEditor(new TextDocument('/shop/empty.sql', ''));
    await attach(emptyThread('one'), 'Selection');
    assert.deepEqual([drafts, editor.messages[4]], [[], editor.messages[1]]);
  });

  it('attaches images with an allowed content and size, and names the others', async () => {
    picked = [...image.keys()];
    await attach(emptyThread('one'), 'Image…');
    const images = ['pixel.png', 'my chart.png'].map((name) => {
      const data = Buffer.from(image.get(`/shop/pictures/${name}`)!).toString('base64');
      return { mimeType: 'image/png', data, name };
    });
    assert.deepEqual(drafts, [{ text: '', images }]);
    assert.match(editor.messages.join('\n'), /“photo\.JPG” has the type JPEG but contains PNG[^]*\n[^]*huge\.png/);
    const filters = { Images: ['png', 'jpeg', 'gif', 'webp', 'jpg'] };
    assert.deepEqual(options, { title: 'Attach images', canSelectMany: true, filters });
    assert.ok(!read.includes('/shop/pictures/huge.png'), 'a file that is too large was read');
    for (picked of [undefined, ['/shop/pictures/photo.JPG']]) await attach(emptyThread('one'), 'Image…');
    assert.equal(drafts.length, 1);
  });

  it('reads no more images than show that there are too many', async () => {
    picked = Array.from({ length: 200 }, () => '/shop/pictures/pixel.png');
    await attach(emptyThread('one'), 'Image…');
    assert.deepEqual([read.length, drafts[0]?.images.length], [MAX_IMAGES + 1, MAX_IMAGES + 1]);
  });
});
