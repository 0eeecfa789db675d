import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from './server.ts';

/**
 * User settings that run the extensions in the browser's web worker, as on vscode.dev, instead of Node. (The
 * browser-based editor ignores the extension kind in its URL.)
 * @param extensions absolute paths of extension folders
 */
export function webHostSettings(extensions: string[]): Settings {
  const kinds = extensions.map((folder) => {
    const { publisher, name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return [`${publisher}.${name}`, ['web']];
  });
  return { 'remote.extensionKind': Object.fromEntries(kinds) };
}
