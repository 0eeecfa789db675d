import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { workspaceAddress, type Address } from '../../../../src/vscode/conversation/dropped.ts';
import { draftMessage, type Draft } from '../../../../src/shared/protocol/chat.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

const file = (path: string): Address => ({ scheme: 'file', authority: '', path });
const remote = (path: string): Address => ({ scheme: 'vscode-remote', authority: 'ssh+box', path });

describe('A dropped URI', () => {
  const inside: [string, Address, Address, boolean, string][] = [
    ['a file of the folder', file('/repo/a.sql'), file('/repo'), false, 'file:/repo/a.sql'],
    ['the folder itself', file('/repo'), file('/repo'), false, 'file:/repo'],
    ['a folder that ends in a slash', file('/repo/a.sql'), file('/repo/'), false, 'file:/repo/a.sql'],
    ['the root folder', file('/a.sql'), file('/'), false, 'file:/a.sql'],
    ['a path that leaves and comes back', file('/repo/x/../a.sql'), file('/repo'), false, 'file:/repo/a.sql'],
    ['a drive letter in another case', file('/C:/repo/a.sql'), file('/c:/repo'), false, 'file:/c:/repo/a.sql'],
    ['a remote file in the remote host', remote('/repo/a.sql'), file('/repo'), true, 'file:/repo/a.sql'],
    ['a remote file in the local host', remote('/repo/a.sql'), remote('/repo'), true, 'vscode-remote:/repo/a.sql'],
  ];
  for (const [what, dropped, folder, isRemote, expected] of inside)
    it(`is read without confirmation: ${what}`, () => {
      const address = workspaceAddress(dropped, [file('/other'), folder], isRemote);
      assert.equal(`${address?.scheme}:${address?.path}`, expected);
    });

  const outside: [string, Address, Address, boolean][] = [
    ['another folder', file('/etc/passwd'), file('/repo'), false],
    ['a folder whose name begins alike', file('/repo-secret/a'), file('/repo'), false],
    ['a path that leaves the folder', file('/repo/../etc/passwd'), file('/repo'), false],
    ['a path that leaves it with backslashes', file('/repo/..\\..\\secret'), file('/repo'), false],
    ['a remote path that leaves the folder', remote('/repo/../etc/passwd'), file('/repo'), true],
    ['a remote file in a local window', remote('/repo/a.sql'), file('/repo'), false],
    ['the same path on another machine', { ...file('/repo/a'), authority: 'server' }, file('/repo'), false],
    ['another scheme', { scheme: 'https', authority: '', path: '/repo/a' }, file('/repo'), false],
  ];
  for (const [what, dropped, folder, isRemote] of outside)
    it(`needs confirmation: ${what}`, () => {
      assert.equal(workspaceAddress(dropped, [folder], isRemote), undefined);
    });
});

describe('A dropped file', () => {
  interface FakeUri extends Address {
    fsPath: string;
    with(address: Address): FakeUri;
  }
  const uri = (address: Address): FakeUri => ({ ...address, fsPath: address.path, with: uri });
  let readableUri: (dropped: FakeUri) => Promise<FakeUri | undefined>;
  let attachUris: (view: object, uris: string[]) => Promise<void>;
  let folder = '';
  const asked: unknown[][] = [];
  let answer: string | undefined;

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'dropped-')));
    mkdirSync(join(folder, 'work'));
    for (const name of ['secret', 'work/model']) writeFileSync(join(folder, name), name);
    symlinkSync(join(folder, 'secret'), join(folder, 'work', 'link'));
    symlinkSync(join(folder, 'work'), join(folder, 'linked'));
    const editor = {
      Uri: { file: (path: string) => uri(file(path)), parse: (text: string) => uri(file(text)) },
      env: {},
      FileType: { Unknown: 0, SymbolicLink: 64 },
      workspace: {
        workspaceFolders: [
          { uri: uri(file(join(folder, 'linked'))) },
          { uri: uri({ ...file('/'), scheme: 'virtual' }) },
        ],
        fs: { stat: ({ path }: Address) => Promise.resolve({ type: path.includes('link') ? 1 | 64 : 1 }) },
        openTextDocument: (opened: Address) =>
          Promise.resolve({ uri: opened, languageId: 'plaintext', getText: () => 'text' }),
        asRelativePath: ({ path }: Address) => path,
      },
      window: {
        showWarningMessage: (...values: unknown[]) => {
          asked.push(values);
          return Promise.resolve(answer);
        },
      },
    };
    ({ readableUri } = await loadWithEditor<{ readableUri: typeof readableUri }>(
      'vscode/conversation/readableUri.ts',
      editor,
    ));
    ({ attachUris } = await loadWithEditor<{ attachUris: typeof attachUris }>(
      'vscode/conversation/attachments.ts',
      editor,
    ));
  });
  after(() => rmSync(folder, { recursive: true }));

  const read = async (path: string): Promise<string | undefined> =>
    (await readableUri(uri(file(`${folder}/${path}`))))?.path;

  it('in a workspace that is opened through a link needs no confirmation', async () => {
    assert.equal(await read('linked/model'), join(folder, 'linked/model'));
    assert.deepEqual(asked, []);
  });

  it('outside the workspace is read only after a dialog that starts with its full path', async () => {
    for (const path of ['secret', 'linked/link', 'linked/../secret']) {
      answer = undefined;
      assert.equal(await read(path), undefined);
      const [message, options] = asked.pop() ?? [];
      assert.equal(message, join(folder, 'secret'));
      assert.equal((options as { modal: boolean }).modal, true);
      answer = 'Attach';
      assert.equal(await read(path), join(folder, 'secret'));
      asked.pop();
    }
  });

  it('is read from where the dialog says', async () => {
    answer = 'Attach';
    const texts: string[] = [];
    const view = { post: ({ draft }: { draft: Draft }) => texts.push(draftMessage(draft).text) };
    await attachUris(view, [join(folder, 'linked', 'link')]);
    const [path] = asked.pop() ?? [];
    assert.equal(path, join(folder, 'secret'));
    assert.match(texts.join(), new RegExp(`^About ${join(folder, 'secret')}:\n`));
    answer = undefined;
    await attachUris(view, [join(folder, 'linked', 'link')]);
    assert.equal(texts.length, 1);
    asked.pop();
  });

  it('in a virtual workspace needs confirmation if it is a link', async () => {
    answer = undefined;
    const virtual = (path: string) => uri({ ...file(path), scheme: 'virtual' });
    assert.equal((await readableUri(virtual('/model')))?.path, '/model');
    assert.deepEqual(asked, []);
    assert.equal(await readableUri(virtual('/link')), undefined);
    assert.equal(asked.splice(0).length, 1);
  });
});
