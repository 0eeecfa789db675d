import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from './server.ts';

/**
 * User settings by which these extensions run in the browser's web worker, as on vscode.dev, and not in Node.
 * (The browser-borne editor ignores the kind that its address may ask for.)
 * @param extensions folders of extensions, absolute
 */
export function webHostSettings(extensions: string[]): Settings {
  const kinds = extensions.map((folder) => {
    const { publisher, name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return [`${publisher}.${name}`, ['web']];
  });
  return { 'remote.extensionKind': Object.fromEntries(kinds) };
}
