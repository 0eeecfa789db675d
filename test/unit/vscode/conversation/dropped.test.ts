import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import type * as attachments from '../../../../src/vscode/conversation/attachments.ts';
import type * as readable from '../../../../src/vscode/conversation/readableUri.ts';
import { workspaceAddress, type Address } from '../../../../src/vscode/conversation/dropped.ts';
import { draftMessage, type Draft } from '../../../../src/shared/protocol/chat.ts';
import { Editor, Uri } from '../support.ts';

const file = (path: string): Address => ({ scheme: 'file', authority: '', path });
const remote = (path: string): Address => ({ scheme: 'vscode-remote', authority: 'ssh+box', path });

describe('A dropped URI', () => {
  const dropped: [what: string, uri: Address, folder: Address, isRemote: boolean, read?: string][] = [
    ['a file of the folder', file('/repo/a.sql'), file('/repo'), false, 'file:/repo/a.sql'],
    ['the folder itself', file('/repo'), file('/repo'), false, 'file:/repo'],
    ['a folder that ends in a slash', file('/repo/a.sql'), file('/repo/'), false, 'file:/repo/a.sql'],
    ['the root folder', file('/a.sql'), file('/'), false, 'file:/a.sql'],
    ['a path that leaves and comes back', file('/repo/x/../a.sql'), file('/repo'), false, 'file:/repo/a.sql'],
    ['a drive letter in another case', file('/C:/repo/a.sql'), file('/c:/repo'), false, 'file:/c:/repo/a.sql'],
    ['a remote file in the remote host', remote('/repo/a.sql'), file('/repo'), true, 'file:/repo/a.sql'],
    ['a remote file in the local host', remote('/repo/a.sql'), remote('/repo'), true, 'vscode-remote:/repo/a.sql'],
    // These need confirmation.
    ['another folder', file('/etc/passwd'), file('/repo'), false],
    ['a folder whose name begins alike', file('/repo-secret/a'), file('/repo'), false],
    ['a path that leaves the folder', file('/repo/../etc/passwd'), file('/repo'), false],
    ['a path that leaves it with backslashes', file('/repo/..\\..\\secret'), file('/repo'), false],
    ['a remote path that leaves the folder', remote('/repo/../etc/passwd'), file('/repo'), true],
    ['a remote file in a local window', remote('/repo/a.sql'), file('/repo'), false],
    ['the same path on another machine', { ...file('/repo/a'), authority: 'server' }, file('/repo'), false],
    ['another scheme', { scheme: 'https', authority: '', path: '/repo/a' }, file('/repo'), false],
    ['another scheme in a remote window', { scheme: 'https', authority: '', path: '/repo/a' }, file('/repo'), true],
  ];
  for (const [what, uri, folder, isRemote, read] of dropped)
    it(`${read ? 'is read without' : 'needs'} confirmation: ${what}`, () => {
      const address = workspaceAddress(uri, [file('/other'), folder], isRemote);
      assert.equal(address && `${address.scheme}:${address.path}`, read);
    });
});

describe('A dropped file', () => {
  let module: typeof attachments & typeof readable;
  let editor: Editor;
  let folder: string;
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'dropped-')));
    mkdirSync(join(folder, 'work'));
    for (const name of ['secret', 'work/model']) writeFileSync(join(folder, name), name);
    symlinkSync(join(folder, 'secret'), join(folder, 'work', 'link'));
    symlinkSync(join(folder, 'work'), join(folder, 'linked'));
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    editor = new Editor();
    const uris = [Uri.file(join(folder, 'linked')), new Uri('virtual', '', '/')];
    editor.folders = uris.map((uri, index) => ({ name: `${index}`, uri, index }));
    const stat = ({ path }: Uri) => Promise.resolve({ type: path.includes('link') ? 1 | 64 : 1 });
    editor.more = { workspace: { fs: { stat } } };
    module = await editor.load('conversation/readableUri', 'conversation/attachments');
  });
  const read = async (path: string, scheme = 'file'): Promise<string | undefined> =>
    (await module.readableUri(new Uri(scheme, '', path) as never))?.path;

  it('in a workspace that is opened through a link needs no confirmation', async () => {
    assert.equal(await read(`${folder}/linked/model`), join(folder, 'linked/model'));
    assert.deepEqual(editor.messages, []);
  });

  it('of the page of a remote window is read as a file of its workspace', async () => {
    for (const [remoteName, expected] of [
      ['wsl', `${folder}/linked/model`],
      [undefined, undefined],
    ] as const) {
      editor.more = { ...editor.more, env: { remoteName } };
      module = await editor.load('conversation/readableUri', 'conversation/attachments');
      assert.equal(await read(`${folder}/linked/model`, 'vscode-remote'), expected);
    }
  });

  it('outside the workspace is read only after a dialog that starts with its full path', async () => {
    for (const path of ['secret', 'linked/link', 'linked/../secret']) {
      editor.answers = [undefined, 'Attach'];
      for (const expected of [undefined, join(folder, 'secret')]) {
        assert.equal(await read(`${folder}/${path}`), expected);
        assert.equal(editor.messages.pop(), `${join(folder, 'secret')} [Attach]`);
        assert.match(editor.details.pop()!, /outside the workspace/);
      }
    }
  });

  it('is read from where the dialog says', async () => {
    editor.answers = ['Attach', undefined];
    const texts: string[] = [];
    const view = { post: ({ draft }: { draft: Draft }) => texts.push(draftMessage(draft).text) };
    await module.attachUris(view as never, Array(2).fill(`file://${join(folder, 'linked', 'link')}`));
    assert.deepEqual(editor.messages, Array(2).fill(`${join(folder, 'secret')} [Attach]`));
    assert.equal(texts.length, 1);
    assert.match(texts[0]!, new RegExp(`^About ${join(folder, 'secret')}:\n`));
  });

  it('in a virtual workspace needs confirmation if it is a link', async () => {
    assert.equal(await read('/model', 'virtual'), '/model');
    assert.deepEqual(editor.messages, []);
    assert.equal(await read('/link', 'virtual'), undefined);
    assert.deepEqual(editor.messages, ['virtual:///link [Attach]']);
  });
});
