/** Of the YAML library only the parser is bundled: it reads what the whole library reads. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { parseEvents } from 'js-yaml';
import { after, before, describe, it } from 'mocha';
import { yamlParserPlugin } from '../../../src/insert/yamlParserPlugin.mjs';
import { repoRoot } from '../../vscode/paths.ts';

const TEXTS = [
  'a: 1\nb: [c, {d: "\\u00e9"}]\n',
  '%YAML 1.2\n%TAG !e! tag:example.com,2000:\n---\n- !e!a &x b\n- *x\n- ? c\n  : |2-\n      d\n...\n---\n>\n e\n',
  "a: 'b''c'\n",
  'a: [\n',
  'a: b: c\n',
  '"a\n',
  '!<tag:a> b\n',
  '!u!a b\n',
];

describe('the YAML parser of the bundle', () => {
  let folder: string;
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'yaml-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function bundled(name: string, plugins: Plugin[]): Promise<string> {
    const outfile = join(folder, name);
    const contents = `export { parseEvents } from 'js-yaml'`;
    await build({
      stdin: { contents, resolveDir: repoRoot },
      outfile,
      bundle: true,
      minify: true,
      format: 'esm',
      plugins,
    });
    return outfile;
  }

  it('reads what the library reads, and refuses what it refuses', async () => {
    const file = await bundled('parser.mjs', [yamlParserPlugin]);
    const { parseEvents: ours } = (await import(pathToFileURL(file).href)) as { parseEvents: typeof parseEvents };
    const said = (parse: typeof parseEvents, text: string): unknown => {
      try {
        return parse(text, {});
      } catch (failure) {
        return (failure as Error).message;
      }
    };
    for (const text of TEXTS) assert.deepEqual(said(ours, text), said(parseEvents, text), text);
  });

  it('is far smaller', async () => {
    const [part, whole] = [await bundled('part.mjs', [yamlParserPlugin]), await bundled('whole.mjs', [])];
    assert.ok(statSync(part).size < statSync(whole).size * 0.6);
  });
});
