// @ts-check
import { readFile } from 'node:fs/promises';

/** What the parser of `js-yaml` is made of; the rest, twice as much, makes values and writes YAML. */
const PARSER = ['common/snippet', 'common/exception', 'parser/events', 'common/tagname', 'parser/parser'];
const REGION = /^\/\/#region src\/(\S+)\.ts$/m;

/**
 * esbuild plugin: of `js-yaml` only the parser is bundled. Its build is one file, of which esbuild drops little, for
 * the tags that it knows are made by calls.
 * @type {import('esbuild').Plugin}
 */
export const yamlParserPlugin = {
  name: 'yaml-parser',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]js-yaml\.mjs$/ }, async ({ path }) => {
      const [license, ...regions] = (await readFile(path, 'utf8')).split(REGION);
      const kept = PARSER.map((name) => regions[regions.indexOf(name) + 1]);
      if (!PARSER.every((name) => regions.includes(name))) throw new Error(`${path} has other regions than it had`);
      return { contents: [license, ...kept, 'export { EVENT_ID, parseEvents };'].join('\n') };
    });
  },
};
