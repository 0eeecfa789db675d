/** What is saved, exported and copied contains none of several secrets, in no encoding. What the user sees may contain them. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { RecordingWriter } from '../../../../src/chat/recording/write.ts';
import { emptyThread, type Thread } from '../../../../src/shared/thread/model.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import type { Log } from '../../../../src/vscode/host/log.ts';
import { ask, delta, dispatch, inFolder, openFolder, saveNow, tool } from '../../chat/history/support/stores.ts';
import { connectionTo, context } from '../../chat/support/sessions.ts';

const KEYS = ['ak/7f3kQ9+zLw2"XeVb5T=Ra8Nd', 'token_of.the-other\\connection'];
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

const encodings: Record<string, (key: string) => string> = {
  plain: (key) => key,
  'JSON-escaped': escaped,
  'percent-encoded': encodeURIComponent,
};
const forms = KEYS.flatMap((key) => [key, escaped(key), escaped(escaped(key)), encodeURIComponent(key)]);

/** What the editor received: the files and the clipboard's text. */
const received: string[] = [];
const keep = (text: string): void => void received.push(text);
let target = '/export.md';
let pick = '';
const editor = {
  version: '1.104.0',
  env: { uiKind: 1, clipboard: { writeText: (text: string) => Promise.resolve(keep(text)) } },
  window: {
    createOutputChannel: () => ({ info: keep, warn: keep, error: keep }),
    showSaveDialog: () => Promise.resolve({ path: target }),
    showQuickPick: (items: { label: string }[]) => Promise.resolve(items.find(({ label }) => label === pick)),
  },
  workspace: {
    fs: {
      writeFile: (_target: object, bytes: Uint8Array) => Promise.resolve(keep(new TextDecoder().decode(bytes))),
    },
  },
};

type Action = (services: object, ...of: unknown[]) => Promise<unknown>;
const load = async (path: string, name: string): Promise<Action> =>
  (await loadWithEditor<Record<string, Action>>(path, editor))[name] as Action;

const threadWith = (text: string): Thread =>
  dispatch(
    emptyThread('t'),
    ask('1700000000000-message', `Why is ${text} rejected?`, 1),
    delta('a', `The answer to ${text}.`, 2, 3),
    tool('q', 3, JSON.stringify({ sqlQuery: 'SELECT 1', schema: [{ name: 'key' }], data: [[text]] })),
    { type: 'finished' },
  );

type Run = (services: Record<string, unknown>, text: string, thread: Thread) => Promise<unknown>;

const outputs: Record<string, Run> = {
  'the history and the export of a chat': async ({ log }, _text, thread) =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder, { redact: (log as Log).redactDocument });
      await saveNow(history, thread);
      for (const name of await readdir(folder)) keep(await readFile(join(folder, name), 'utf8'));
      const exportThread = await load('vscode/threads/threadActions.ts', 'exportThread');
      for (target of ['/export.md', '/export.json'])
        await exportThread({ log, history: () => Promise.resolve(history) }, 't', '');
    }),
  'the export of results': async (known, _text, thread) => {
    const services = { ...known, identities: { timeZones: () => ({}) }, sessions: { connectionOf: () => undefined } };
    const askForExport = await load('vscode/results/exportResults.ts', 'askForExport');
    for (pick of ['JSON', 'CSV without headers'])
      await ((await askForExport(services, { thread }, 'q')) as () => Promise<void>)();
  },
  'a request as cURL': async (services) =>
    (await load('vscode/conversation/support.ts', 'copyAsCurl'))({
      ...services,
      connector: { connect: () => Promise.resolve(connectionTo({ url: 'https://agent.example/chat' })) },
    }),
  diagnostics: async (services, text) =>
    (await load('vscode/conversation/support.ts', 'copyDiagnostics'))({
      ...services,
      context: { extension: { packageJSON: { version: '1' } } },
      connections: { current: undefined, all: [], unusable: [{ problem: text }] },
      branches: { current: text },
    }),
  'a recording, also in pieces': async (services, text) => {
    const writer = new RecordingWriter(emptyThread('t'), 0, () => undefined);
    const pieces = [...text].map((character, at) => delta('a', character, at, 1));
    writer.add([{ type: 'sent', id: '1-message', text, images: [], context, time: 0 }, ...pieces], 5);
    const saveRecording = await load('vscode/threads/recording.ts', 'saveRecording');
    await saveRecording({
      ...services,
      recorder: { session: { thread: emptyThread('t') }, stop: () => writer.text },
    });
  },
};

describe('no secret is in', () => {
  for (const [output, run] of Object.entries(outputs))
    it(`${output}, in no encoding`, async () => {
      for (const [encoding, encode] of Object.entries(encodings)) {
        const { Log: Made } = await loadWithEditor<{ Log: new () => Log }>('vscode/host/log.ts', editor);
        const log = new Made();
        for (const key of KEYS) log.addSecret(key);
        const text = KEYS.map(encode).join(' and ');
        const thread = threadWith(text);
        const sessions = {
          active: { thread },
          all: [{ thread, status: 'ready' }],
          ...{ homeOf: () => undefined, titleOf: () => '', draft: () => ({ text: '', images: [] }) },
        };
        received.length = 0;
        await run({ log, sessions, repository: { isReadOnly: () => false } }, text, thread);
        assert.ok(received.length > 0);
        for (const each of received) {
          assert.match(each, /\[redacted\]\W+and\W+\[redacted\]/, encoding);
          assert.deepEqual(
            forms.filter((form) => each.includes(form)),
            [],
            `${encoding}: ${each}`,
          );
        }
      }
    });
});
