/** Extensions that ours is compared with. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pack } from './pack.ts';

export interface Peer {
  name: string;
  contributes: object;
  activationEvents?: readonly string[];
  /** CommonJS, which both kinds of hosts can load. */
  code: string;
}

/** @returns the VSIX file of the extension, written into an existing folder */
export function packPeer(folder: string, { name, contributes, activationEvents = [], code }: Peer): string {
  const source = join(folder, name);
  const manifest = {
    ...{ publisher: 'bench', name, version: '1.0.0', description: 'A peer.', license: 'MIT' },
    ...{ engines: { vscode: '^1.104.0' }, main: './extension.js', browser: './extension.js' },
    ...{ activationEvents, contributes },
  };
  mkdirSync(source);
  writeFileSync(join(source, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(source, 'README.md'), 'A peer.');
  writeFileSync(join(source, 'extension.js'), code);
  const file = `${source}.vsix`;
  pack(source, file);
  return file;
}

/**
 * @param address URL of the service to ask, without a key
 * @param body expression for the body of the request
 * @param take statement to run for each `line`
 * @returns the code of a peer that asks and reads the answer
 */
export const readingLines = (address: string, body: string, take: string): string => `
  const response = await fetch('${address}', { method: 'POST', body: JSON.stringify(${body}) });
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\\n');
    rest = lines.pop();
    for (const text of lines) {
      const line = JSON.parse(text);
      ${take}
    }
  }
`;
