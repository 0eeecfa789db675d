/** The log contains none of several secrets; of files, their own tests hold this. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as logging from '../../../../src/vscode/host/log.ts';
import { loadWithEditor } from '../support.ts';

const KEYS = ['ak/7f3kQ9+zLw2"XeVb5T=Ra8Nd', 'token_of.the-other\\connection'];
const TEXT = KEYS.join(' and ');

describe('the log', () => {
  it('has no secrets nor what looks like one, all causes of an error, and is created with its first entry', async () => {
    const [written, acts]: [string[], string[]] = [[], []];
    const keep = (text: string): unknown => written.push(text);
    const show = (keepsFocus: boolean): unknown => acts.push(`show ${keepsFocus}`);
    const channel = { info: keep, warn: keep, error: keep, show, dispose: () => acts.push('dispose') };
    const window = { createOutputChannel: (name: string) => (acts.push(name), channel) };
    const { Log } = await loadWithEditor<typeof logging>('vscode/host/log.ts', { window });
    const log = new Log();
    log.dispose();
    for (const key of KEYS) log.addSecret(key);
    log.info(TEXT);
    log.warn(encodeURIComponent(TEXT));
    log.error('Failed.', new Error('No access.', { cause: new Error(JSON.stringify(TEXT)) }));
    for (const text of written) assert.match(text, /\[redacted\]\W+(?:20)?and\W+(?:20)?\[redacted\]/);
    assert.match(written[2]!, /^Failed\.\n.*No access/);
    log.warn('Sent Api-Key another-key, eyJhbGciOiJub25lIn0.e30.c2ln');
    assert.equal(written.pop(), 'Sent Api-Key [redacted], [redacted]');
    log.show();
    log.dispose();
    assert.deepEqual(acts, ['Analytics Chat', 'show true', 'dispose']);
  });
});
