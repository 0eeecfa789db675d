/** The history of a window: its limits, and what the user is told when a file is damaged or can't be written. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import type { History } from '../../../../src/chat/history/history.ts';
import type * as opening from '../../../../src/vscode/threads/openHistory.ts';
import { about, inFolder, openFolder } from '../../chat/history/support/stores.ts';
import { Editor, emptyThread, makeTurn, redact, Uri, type Thread } from '../support.ts';

const threadOf = (id: string, time = 1): Thread => ({
  ...emptyThread(id),
  turns: [makeTurn({ id: `${id}-question`, content: `Question of ${id} with the-key?`, time: 1000 * time }, [])],
});

describe('opening the history', () => {
  let editor: Editor;
  let module: typeof opening;
  let logged: string[];
  beforeEach(async () => {
    [editor, logged] = [new Editor(), []];
    module = await editor.load('threads/openHistory');
  });
  const keep = (text: string): void => void logged.push(text);
  const log = { warn: keep, error: keep, redactDocument: redact } as never;
  const inStorage = (storage: string) => ({ globalStorageUri: Uri.file(storage) }) as never;
  const names = async (storage: string): Promise<string[]> =>
    (await readdir(join(storage, 'threads'))).flatMap((name) => /^(.*)\.json$/.exec(name)?.[1] ?? []).sort();
  async function open(storage: string): Promise<History> {
    const history = await module.openHistory(inStorage(storage), log);
    for (const name of await names(storage)) await history.open(name);
    await history.flush();
    return history;
  }
  /** Saves threads, the newest last. */
  async function save(storage: string, ...ids: string[]): Promise<void> {
    await mkdir(join(storage, 'threads'));
    const { history } = await openFolder(join(storage, 'threads'));
    ids.forEach((id, at) => history.save(threadOf(id, at + 1), about));
    await history.flush();
  }

  it('deletes the oldest chats beyond the limit in the settings, and redacts those that are saved', () =>
    inFolder(async (storage) => {
      await save(storage, 'a', 'b', 'c');
      await open(storage);
      assert.deepEqual(await names(storage), ['a', 'b', 'c']);
      editor.settings = { 'history.limit': 1 };
      const history = await open(storage);
      assert.deepEqual(await names(storage), ['c']);
      history.save(threadOf('d'), about);
      await history.flush();
      assert.match(await readFile(join(storage, 'threads', 'd.json'), 'utf8'), /of d with \[redacted\]\?/);
      assert.deepEqual([editor.messages, logged], [[], []]);
    }));

  it('tells the user and the log about a damaged file, of which a copy is kept, or that one can’t be written', () =>
    inFolder(async (storage) => {
      await save(storage, 'a');
      const file = join(storage, 'threads', 'a.json');
      await writeFile(file, (await readFile(file, 'utf8')).replace('"items"', 'items'));
      const history = await open(storage);
      assert.match(editor.messages.splice(0).join(), /^A chat in the history is damaged\. .* was copied to (.+)\.$/);
      assert.match(logged.splice(0).join(), /^The file of the thread a was damaged, copy \S+\.damaged\.$/);
      await rm(join(storage, 'threads'), { recursive: true });
      await writeFile(join(storage, 'threads'), '');
      history.save(threadOf('b'), about);
      await history.flush().catch(() => undefined);
      assert.deepEqual([editor.kinds.at(-1), logged.splice(0)], ['error', ['The history could not be saved.']]);
      await module.openHistory(inStorage(storage), log);
      assert.deepEqual(logged, ['The history could not be tidied.']);
    }));

  it('happens once, on first use, and again after a failure', () =>
    inFolder(async (storage) => {
      let failing = true;
      const context = {
        get globalStorageUri() {
          if (failing) throw new Error('No storage.');
          return Uri.file(storage);
        },
      };
      const lazy = new module.LazyHistory(context as never, log);
      assert.equal(lazy.isOpen, false);
      await assert.rejects(lazy.get());
      assert.equal(lazy.isOpen, false);
      failing = false;
      const [history, again] = [lazy.get(), lazy.get()];
      assert.deepEqual([history, lazy.isOpen], [again, true]);
      await (await history).flush();
    }));
});
