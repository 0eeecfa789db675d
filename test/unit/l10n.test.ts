/** Every string for the user is localizable, and every translation has a string. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { repoRoot } from '../vscode/paths.ts';
import { stringsOfSources } from '../l10n/strings.ts';

const read = (path: string): Record<string, string> =>
  JSON.parse(readFileSync(join(repoRoot, path), 'utf8')) as Record<string, string>;
/** Every form of a plural contains the same placeholders; languages differ in the number of forms. */
const placeholders = (text: string): string[] => [...new Set(text.match(/\{\d+\}/g))].sort();

/** English terms with their one translation to German and French. */
const TERMS: readonly [english: RegExp, german: RegExp, french: RegExp][] = [
  [/\bAPI key/i, /API-Schlüssel/, /clés? d’API/i],
  [/\bChat API\b/, /Chat-API/, /Chat API/],
  [/(?<!Analytics )\bchats?\b(?! service| API)/i, /Chat(?!-API)/, /conversation/i],
  [/\bservice token/i, /Diensttoken/, /jetons? de service/i],
  [/\bmembers?\b/i, /Modellelement/, /membre/i],
  [/\bdata model\b/i, /Datenmodell/, /modèle de données/],
  [/\b(main branch|with main)\b/i, /Hauptbranch/, /branche principale/i],
  [/\bpath or query\b/i, /Abfragezeichenfolge/, /chaîne de requête/],
  [/\bquestion tests?\b/i, /Fragentest/, /tests? de questions?/i],
  [/\bexpected result\b/i, /erwartete[ns]? Ergebnis/, /résultat attendu/i],
  [/\bflaky\b/i, /instabil/i, /instable/i],
  [/\bfailed\b/i, /fehlgeschlagen|Fehlerstatus/i, /échec|échoué/i],
  [/\bas (everyone|“?\{)/i, /\bals\b/i, /en tant que/i],
];

describe('strings', () => {
  const inSources = stringsOfSources();

  it('are all in the English bundle (node test/l10n/writeBundle.ts writes it)', () => {
    assert.deepEqual(Object.keys(read('l10n/bundle.l10n.json')).sort(), inSources);
  });

  it('say chat, as the commands do, and not thread', () => {
    const texts = [...inSources, ...Object.values(read('package.nls.json'))];
    assert.deepEqual(
      texts.filter((text) => /\bthread/i.test(text)),
      [],
    );
  });

  for (const language of ['de', 'fr'])
    it(`are all translated to ${language}, including the manifest, and no translation is unused`, () => {
      const texts = (path: string): string[] => Object.keys(read(path)).sort();
      assert.deepEqual(texts(`l10n/bundle.l10n.${language}.json`), inSources);
      assert.deepEqual(texts(`package.nls.${language}.json`), texts('package.nls.json'));
    });

  for (const [index, language] of ['de', 'fr'].entries())
    it(`use one word for one thing in ${language}`, () => {
      const bundle = Object.entries(read(`l10n/bundle.l10n.${language}.json`));
      const english = read('package.nls.json');
      const manifest = Object.entries(read(`package.nls.${language}.json`)).map(([key, text]) => [english[key]!, text]);
      for (const [term, ...translations] of TERMS)
        for (const [text, translation] of [...bundle, ...manifest])
          if (term.test(text!)) assert.match(translation!, translations[index]!, text);
    });

  it('don’t break lines before or inside French punctuation', () => {
    for (const path of ['l10n/bundle.l10n.fr.json', 'package.nls.fr.json'])
      for (const translation of Object.values(read(path))) assert.doesNotMatch(translation, /« | [:;?!»%]/);
  });

  it('leave a duration as the browser writes it in German, which is not the dative', () => {
    const text = 'The service may delete this chat after {0}. Your history keeps a copy.';
    assert.doesNotMatch(read('l10n/bundle.l10n.de.json')[text] ?? '', /\b(nach|seit|von|mit) \{0\}/);
  });

  it('agree with a number of 0 or 1 in fr', () => {
    for (const translation of Object.values(read('l10n/bundle.l10n.fr.json')))
      assert.doesNotMatch(translation.split('|')[0]!, /(?<!sur )\{\d\} \p{L}+ées?s\b/u);
  });

  for (const name of readdirSync(join(repoRoot, 'l10n')))
    it(`have the same placeholders in ${name}, and enough plural forms`, () => {
      for (const [text, translation] of Object.entries(read(`l10n/${name}`))) {
        assert.deepEqual(placeholders(translation), placeholders(text), text);
        assert.equal(translation.includes('|'), text.includes('|'), text);
      }
    });
});
