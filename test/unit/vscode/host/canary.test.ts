/** What is logged, saved, exported and copied has none of several secrets, in no encoding. What the user sees may have them. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RecordingWriter } from '../../../../src/chat/recording/write.ts';
import type * as logging from '../../../../src/vscode/host/log.ts';
import { ask, delta, dispatch, tool } from '../../chat/history/support/stores.ts';
import { connectionTo, context } from '../service.ts';
import { Editor, emptyThread, pairs } from '../support.ts';

const KEYS = ['ak/7f3kQ9+zLw2"XeVb5T=Ra8Nd', 'token_of.the-other\\connection'];
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
const encodings: Record<string, (key: string) => string> = {
  plain: (key) => key,
  'JSON-escaped': escaped,
  'percent-encoded': encodeURIComponent,
};
const forms = KEYS.flatMap((key) => [key, escaped(key), escaped(escaped(key)), encodeURIComponent(key)]);

type Actions = Record<string, (...of: unknown[]) => Promise<unknown>> & typeof logging;

/** Services whose chat, branch, connections, history and recording have this text. */
function worldWith(text: string, log: object) {
  const thread = dispatch(
    emptyThread('t'),
    ask('1700000000000-message', `Why is ${text} rejected?`, 1),
    delta('a', `The answer to ${text}.`, 2, 3),
    tool('q', 3, JSON.stringify({ sqlQuery: 'SELECT 1', schema: [{ name: 'key' }], data: [[text]] })),
    { type: 'finished' },
  );
  const writer = new RecordingWriter(emptyThread('t'), 0, () => undefined);
  const pieces = [...text].map((character, at) => delta('a', character, at, 1));
  writer.add([{ type: 'sent', id: '1-message', text, images: [], context, time: 0 }, ...pieces], 5);
  const two = pairs({
    ...{ log, branches: { current: text }, connections: { unusable: [{ problem: text }] } },
    connector: { connect: () => Promise.resolve(connectionTo({ url: 'https://agent.example/chat' })) },
    context: { extension: { packageJSON: { version: '1' } } },
    history: () => Promise.resolve({ read: () => Promise.resolve({ meta: { title: text }, thread }) }),
    recorder: { session: {}, stop: () => writer.text },
    sessions: { titleOf: () => '' },
  });
  Object.assign(two.first, { thread });
  return two;
}

describe('no secret is in', () => {
  for (const [output, path, action, pick, ending] of [
    ['a chat as Markdown', 'threads/threadActions', 'exportThread', 'Markdown', 'md'],
    ['a chat as JSON', 'threads/threadActions', 'exportThread', 'JSON', 'json'],
    ['results as JSON', 'results/exportResults', 'askForExport', 'JSON', 'json'],
    ['results as CSV', 'results/exportResults', 'askForExport', 'CSV without headers', 'csv'],
    ['a request as cURL', 'conversation/support', 'copyAsCurl'],
    ['diagnostics', 'conversation/support', 'copyDiagnostics'],
    ['a recording, also in pieces', 'threads/recording', 'saveRecording', undefined, 'ndjson'],
  ] as const)
    it(`${output}, in no encoding`, async () => {
      for (const [encoding, encode] of Object.entries(encodings)) {
        const editor = Object.assign(new Editor(), { picks: [pick], targets: [`/shop/a.${ending}`] });
        const module = await editor.load<Actions>(path, 'host/log');
        const log = new module.Log();
        for (const key of KEYS) log.addSecret(key);
        const { first, services } = worldWith(KEYS.map(encode).join(' and '), log);
        const write = await module[action]!(services, first, 'q');
        if (typeof write === 'function') await write();
        const [written = '', ...others] = [...editor.files.values(), ...editor.copied];
        assert.deepEqual(others, []);
        assert.match(written, /\[redacted\]\W+and\W+\[redacted\]/, encoding);
        const found = forms.filter((form) => written.includes(form));
        assert.deepEqual(found, [], `${encoding}: ${written}`);
      }
    });
});

describe('the log', () => {
  it('has no secrets nor what looks like one, all causes of an error, and is created with its first entry', async () => {
    const [written, acts]: [string[], string[]] = [[], []];
    const keep = (text: string): unknown => written.push(text);
    const show = (keepsFocus: boolean): unknown => acts.push(`show ${keepsFocus}`);
    const channel = { info: keep, warn: keep, error: keep, show, dispose: () => acts.push('dispose') };
    const window = { createOutputChannel: (name: string) => (acts.push(name), channel) };
    const { Log } = await Object.assign(new Editor(), { more: { window } }).load<typeof logging>('host/log');
    const log = new Log();
    log.dispose();
    for (const key of KEYS) log.addSecret(key);
    const text = KEYS.join(' and ');
    log.info(text);
    log.warn(encodeURIComponent(text));
    log.error('Failed.', new Error('No access.', { cause: new Error(JSON.stringify(text)) }));
    for (const each of written) assert.match(each, /\[redacted\]\W+(?:20)?and\W+(?:20)?\[redacted\]/);
    assert.match(written[2]!, /^Failed\.\n.*No access/);
    log.warn('Sent Api-Key another-key, eyJhbGciOiJub25lIn0.e30.c2ln');
    assert.equal(written.pop(), 'Sent Api-Key [redacted], [redacted]');
    log.show();
    log.dispose();
    assert.deepEqual(acts, ['Analytics Chat', 'show true', 'dispose']);
  });
});
