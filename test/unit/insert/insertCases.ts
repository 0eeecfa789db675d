/**
 * Reads `test/fixtures/insert/*.txt`: tables of insertions, each a file with its cursors, the SQL and the file after.
 *
 * The first line of a table holds settings for all of its cases, `=== name [label] settings` begins a case. `‸` is a
 * cursor, `⟦…⟧` a selection, `⟨202e⟩` the character U+202E. Sections end before the line that begins the next one.
 *
 * Settings: `file`, `language`, `cell` (of a notebook), `eol=crlf`, `indent` (a width or `tab`), `mode=replace`,
 * `note` (with provenance), `comment` (as one), `known` (names of cubes and views), `warn` (codes that must come), and
 * `back`: what reading the file back must give, see `insertion.test.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InsertRequest, Provenance } from '../../../src/insert/types.ts';

export interface InsertCase {
  table: string;
  name: string;
  request: InsertRequest;
  expected: string;
  warnings: readonly string[];
  back: string;
}

export const PROVENANCE: Provenance = {
  question: 'Orders by status, "all" of them?',
  branch: 'main',
  identity: 'ana@acme',
  time: Date.UTC(2026, 0, 2, 3, 4, 5),
  threadId: 't-1',
  toolCallId: 'c-9',
};

type Settings = Readonly<Record<string, string>>;

const settingsOf = (text: string): Settings =>
  Object.fromEntries(
    [...text.matchAll(/ ([a-z]+)(?:=(\S+))?(?= |$)/g)].map(([, name = '', value = 'yes']) => [name, value]),
  );

const characters = (text: string): string =>
  text.replace(/⟨([\da-f]+)⟩/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)));

/** Removes the marks from a file and returns their offsets. */
export function readMarks(marked: string): { text: string; selections: { start: number; end: number }[] } {
  const selections: { start: number; end: number }[] = [];
  let text = '';
  for (const character of marked) {
    if (character === '‸') selections.push({ start: text.length, end: text.length });
    else if (character === '⟦') selections.push({ start: text.length, end: text.length });
    else if (character === '⟧') selections.at(-1)!.end = text.length;
    else text += character;
  }
  return { text, selections };
}

function readCase(table: string, block: string, defaults: Settings): InsertCase {
  const [, name = '', tail = '', before = '', sql = '', after = ''] =
    /^(.*? \[\w+\])(.*)\n([\s\S]*)\n--- sql\n([\s\S]*)\n--- expect\n([\s\S]*)\n$/.exec(block) ?? [];
  const settings = { ...defaults, ...settingsOf(tail) };
  const eol = settings.eol === 'crlf' ? '\r\n' : '\n';
  const inFile = (text: string): string => characters(text).replaceAll('\n', eol);
  const { text, selections } = readMarks(inFile(before));
  const options = {
    tabSize: Number(settings.indent ?? 2) || 4,
    insertSpaces: settings.indent !== 'tab',
    eol,
    ...(settings.note ? { provenance: PROVENANCE } : {}),
    ...(settings.comment ? { asComment: true } : {}),
    ...(settings.known ? { knownNames: new Set(settings.known.split(',')) } : {}),
  } as const;
  const document = {
    text,
    fileName: settings.file ?? '',
    languageId: settings.language ?? '',
    isNotebookCell: settings.cell !== undefined,
  };
  const mode = settings.mode === 'replace' ? 'replace' : 'insert';
  return {
    table,
    name: `${name}${settings.mode === 'replace' ? ' replaced' : ''}`,
    request: { document, selections, sql: characters(sql), mode, options },
    expected: inFile(after),
    warnings: settings.warn?.split(',') ?? [],
    back: settings.back ?? 'exact',
  };
}

/** @returns the cases of all tables */
export function insertCases(): InsertCase[] {
  const folder = join(import.meta.dirname, '../../fixtures/insert');
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const [head = '', ...blocks] = `${readFileSync(join(folder, file), 'utf8')}\n`.split(/^=== /m);
      const defaults = settingsOf(` ${head.slice(1).trim()}`);
      // Ignore the blank line between cases.
      return blocks.map((block) => readCase(file, block.replace(/\n\n$/, '\n'), defaults));
    });
}
