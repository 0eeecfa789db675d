/** Sources contain no characters that hide or reorder what a reader sees. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { repoRoot } from '../../vscode/paths.ts';

/** Characters without width or direction, and controls other than tab and line ends. */
const hidden = /[\p{Cf}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?![\t\r\n])\p{Cc}/u;
const patterns = [
  '{src,webview,l10n,.github,.ci,.vscode}/**/*',
  'test/**/*.{ts,tsx,mjs,js,css,json,yml,sql,md}',
  '*.{json,mjs,md,txt}',
  '.*',
];
const other = /\.(png|ttf)$/;

describe('sources', () => {
  it('contain no invisible or reordering characters', () => {
    const files = globSync(patterns, { cwd: repoRoot, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.ok(files.length > 300, `${files.length} files`);
    const found = files
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !other.test(path) && hidden.test(readFileSync(path, 'utf8')));
    assert.deepEqual(found, []);
  });

  it('are rejected by this test if they do', () => {
    for (const code of [0x202e, 0x2066, 0x200b, 0xfeff, 0xad, 0x3164, 0xfe0f, 0xe0041, 0x00, 0x1b])
      assert.match(`a${String.fromCodePoint(code)}b`, hidden, code.toString(16));
    assert.doesNotMatch('“é – … ⎇ ▸\t\r\n”', hidden);
  });
});
