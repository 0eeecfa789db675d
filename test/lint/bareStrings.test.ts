/** Finds strings for the user that are not localizable. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { bareStrings } from '../l10n/bareStrings.ts';
import { repoRoot } from '../vscode/paths.ts';

describe('texts in the sources', () => {
  it('are all passed to t or plural, as literals, with the values of their placeholders', () => {
    const files = ['src', 'webview'].flatMap((folder) =>
      readdirSync(join(repoRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /(?<!\.d)\.tsx?$/.test(name))
        .map((name) => join(folder, name))
        // The command line has no display language; its strings are English.
        .filter((file) => !file.startsWith(join('src', 'cli'))),
    );
    const found = files.flatMap((file) =>
      bareStrings(file, readFileSync(join(repoRoot, file), 'utf8')).map((bare) => `${file}:${bare}`),
    );
    assert.deepEqual(found, []);
  });

  const bare: Record<string, string> = {
    'text of an element': '<p>Nothing here</p>',
    'an expression': "<p>{empty ? 'Nothing here' : ''}</p>",
    'a name': '<button aria-label={`Close ${name}`} />',
    'a label': "pick([{ label: '$(add) New chat' }])",
    'a notification': "window.showErrorMessage('It failed')",
    'an error': "new ChatError('network', 'It failed')",
    'a text that cannot be collected': "t(empty ? 'Nothing' : 'Something')",
    'a text without its value': "t('Close {0} of {1}', name)",
    'a plural without its second value': "plural(count, '{0} row of {1}|{0} rows of {1}')",
  };
  for (const [what, source] of Object.entries(bare))
    it(`are detected as bare strings in ${what}`, () => assert.equal(bareStrings('x.tsx', source).length, 1, source));

  it('are not reported without a reason', () => {
    const source =
      "<p class='quiet' title={t('Row')}>{t('Row')} · <b>{name}</b>{plural(count, '{0} row|{0} rows')}{pick({ label: `$(add) ${t('Row')}`, id: 'row' })}</p>";
    assert.deepEqual(bareStrings('x.tsx', source), []);
  });
});
