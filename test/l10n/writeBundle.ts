/** Writes the bundle of localizable strings, from which translations are made: node test/l10n/writeBundle.ts */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../vscode/paths.ts';
import { stringsOfSources } from './strings.ts';

const bundle = Object.fromEntries(stringsOfSources().map((text) => [text, text]));
writeFileSync(join(repoRoot, 'l10n', 'bundle.l10n.json'), `${JSON.stringify(bundle, null, 2)}\n`);
