/** The history of a window: its limits, and what the user is told when a file is damaged. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, beforeEach, describe, it } from 'mocha';
import type { History } from '../../../../src/chat/history/history.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import type * as opening from '../../../../src/vscode/threads/openHistory.ts';
import { loadWithEditor, withSettings } from '../../../support/withEditor.ts';
import { makeTurn } from '../../../support/item.ts';
import { about, inFolder, openFolder } from '../../chat/history/support/stores.ts';

interface Uri {
  scheme: string;
  fsPath: string;
}

describe('Opening the history', () => {
  let openHistory: (context: object, log: object) => Promise<History>;
  let LazyHistory: typeof opening.LazyHistory;
  let limit: unknown;
  let told: string[] = [];
  let logged: string[] = [];

  before(async () => {
    ({ openHistory, LazyHistory } = await loadWithEditor<typeof opening & { openHistory: typeof openHistory }>(
      'vscode/threads/openHistory.ts',
      {
        Uri: { joinPath: ({ fsPath }: Uri, name: string) => ({ scheme: 'file', fsPath: join(fsPath, name) }) },
        workspace: withSettings({
          get 'history.limit'() {
            return limit;
          },
        }),
        window: {
          showWarningMessage: (text: string) => Promise.resolve(void told.push(text)),
          showErrorMessage: (text: string) => Promise.resolve(void told.push(text)),
        },
      },
    ));
  });
  beforeEach(() => {
    [limit, told, logged] = [undefined, [], []];
  });

  async function open(globalStorage: string): Promise<void> {
    const keep = (text: string): void => void logged.push(text);
    const log = { warn: keep, error: keep, redactDocument: (text: string) => text };
    const history = await openHistory({ globalStorageUri: { scheme: 'file', fsPath: globalStorage } }, log);
    for (const name of await names(globalStorage)) await history.open(name);
    await history.flush();
  }

  const names = async (globalStorage: string): Promise<string[]> =>
    (await readdir(join(globalStorage, 'threads')))
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.replace('.json', ''))
      .sort();

  /** Saves threads, the newest last. */
  async function save(globalStorage: string, ids: readonly string[]): Promise<void> {
    const folder = join(globalStorage, 'threads');
    await mkdir(folder);
    const { history } = await openFolder(folder);
    for (const [index, id] of ids.entries()) {
      const question = makeTurn({ id: `${id}-question`, content: `Question of ${id}?`, time: 1000 * (index + 1) }, []);
      history.save({ ...emptyThread(id), turns: [question] }, about);
    }
    await history.flush();
  }

  it('deletes the oldest chats beyond the limit in the settings', () =>
    inFolder(async (storage) => {
      await save(storage, ['a', 'b', 'c']);
      await open(storage);
      assert.deepEqual(await names(storage), ['a', 'b', 'c']);
      limit = 1;
      await open(storage);
      assert.deepEqual(await names(storage), ['c']);
    }));

  it('tells the user and the log about a damaged file, of which a copy is kept', () =>
    inFolder(async (storage) => {
      await save(storage, ['a']);
      const file = join(storage, 'threads', 'a.json');
      await writeFile(file, (await readFile(file, 'utf8')).replace('"items"', 'items'));
      await open(storage);
      const [text] = told;
      assert.match(text ?? '', /^A chat in the history is damaged\. .* was copied to (.+)\.$/);
      assert.match(logged.join(), /^The file of the thread a was damaged, copy \S+\.damaged\.$/);
    }));

  it('happens once, on first use, and again after a failure', () =>
    inFolder(async (storage) => {
      let failing = true;
      const context = {
        get globalStorageUri() {
          if (failing) throw new Error('No storage.');
          return { scheme: 'file', fsPath: storage };
        },
      };
      const lazy = new LazyHistory(context as never, { error: () => undefined } as never);
      assert.equal(lazy.isOpen, false);
      await assert.rejects(lazy.get());
      assert.equal(lazy.isOpen, false);
      failing = false;
      const [history, again] = [lazy.get(), lazy.get()];
      assert.deepEqual([history, lazy.isOpen], [again, true]);
      await (await history).flush();
    }));
});
