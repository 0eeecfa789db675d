/** Invalid values in settings files do no harm. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { between, flag, oneOf, text, texts } from '../../../src/vscode/host/settingValues.ts';

const ODD = [undefined, null, Number.NaN, 'abc', {}, [], () => undefined];

describe('setting values', () => {
  it('of numbers that are invalid or too small fall back to the default', () => {
    for (const value of [...ODD, 0, -5, 0.5, true]) assert.equal(between(value, 1, 3600, 500), 500, String(value));
    assert.deepEqual(
      [1, 2.5, 3600, 3601].map((value) => between(value, 1, 3600, 500)),
      [1, 2.5, 3600, 500],
    );
    assert.equal(between(1e9, 1, Infinity, 500), 1e9);
  });

  it('of flags are accepted only as booleans', () => {
    for (const value of [...ODD, 0, 1, 'false', 'true']) assert.equal(flag(value, true), true, String(value));
    assert.equal(flag(false, true), false);
  });

  it('of names are never blank', () => {
    for (const value of [undefined, null, 7, '', '  ', []]) assert.equal(text(value, 'main'), 'main');
    assert.equal(text(' trunk ', 'main'), 'trunk');
    assert.deepEqual(texts('main'), []);
    assert.deepEqual(texts(['dev', '', 7, ' qa ', null]), ['dev', 'qa']);
  });

  it('of choices are one of them', () => {
    for (const value of [...ODD, 'ENTER']) assert.equal(oneOf(value, ['enter', 'modEnter']), 'enter');
    assert.equal(oneOf('modEnter', ['enter', 'modEnter']), 'modEnter');
  });
});
