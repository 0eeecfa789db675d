import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { consentText } from '../../../../src/vscode/native/consent.ts';

describe('a confirmation', () => {
  it('starts with the target of the question, and omits blank lines that would hide its end', () => {
    const text = consentText('on “main” as “me”', `harmless${'\n'.repeat(1700)}${' '.repeat(100)}drop everything`);
    assert.equal(text, 'on “main” as “me”\n\nharmless\n drop everything');
  });

  it('says how much of a long question is not shown', () => {
    const lines = consentText('here', 'line\n'.repeat(50)).split('\n');
    assert.equal(lines.length, 23);
    assert.match(lines.at(-1) ?? '', /30 more lines/);
    assert.match(consentText('here', 'line\n'.repeat(21)), /1 more line$/);
    assert.doesNotMatch(consentText('here', 'line\n'.repeat(20)), /more/);
    assert.match(consentText('here', 'x'.repeat(5000)), /3000 more characters$/);
  });
});
