/** Every text for the user can be translated, and no translation is for a text that is gone. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { stringsOfSources } from '../vscode/strings.ts';

const folder = join(import.meta.dirname, '..', '..', 'l10n');
const bundle = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, string>;
/** A plural has them in each of its forms, of which languages have different numbers. */
const placeholders = (text: string): string[] => [...new Set(text.match(/\{\d+\}/g))].sort();

describe('texts', () => {
  it('are all in the list that translations start from (node test/vscode/l10n.ts writes it)', () => {
    assert.deepEqual(Object.keys(bundle('bundle.l10n.json')).sort(), stringsOfSources());
  });

  for (const name of readdirSync(folder))
    it(`have the same placeholders in ${name}`, () => {
      for (const [text, translation] of Object.entries(bundle(name)))
        assert.deepEqual(placeholders(translation), placeholders(text), text);
    });
});
