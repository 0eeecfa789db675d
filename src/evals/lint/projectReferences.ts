/** Finds the names of the data model in the files of question tests, access tests and certified queries. */
import { isMap, isPair, isScalar, isSeq, parseDocument, visit, type Node, type Scalar } from 'yaml';
import { hasJinja } from '../../shared/text/jinja.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import { queryReferences } from '../../model/lint/queryReferences.ts';
import { namePartsOf, type Reference } from '../../model/lint/reference.ts';
import { replaceHtmlComments } from '../files/certifiedQueries.ts';
import { kindOfFile } from '../files/layout.ts';

const SQL = new Set(['sql', 'sql_query']);
/** Keys of lists of cubes, views and members. */
const LISTS = /^accessible_(?:views|cubes|members)$/;
/** Keys of one member or a list. */
const MEMBERS = new Set(['uses', 'avoids']);
/** Keys of maps by columns. */
const COLUMNS = new Set(['only', 'masked']);
/** Columns of the result that an agent may name after a part of a date. */
const DATE_PART = /^(?:year|quarter|month|week|day|date|hour|minute|period)s?$/i;
const PATH = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

/**
 * @param agentsPath the folder of the platform's files, relative to the project
 * @returns the references in a file; none in a file of another kind, or with syntax errors
 */
export function projectReferences({ path, text }: SourceFile, agentsPath?: string): Reference[] {
  switch (kindOfFile(path, agentsPath)) {
    case 'questions':
    case 'ownQuestions':
    case 'agentConfig':
    case 'access':
      return yamlReferences(text, 0);
    case 'certifiedQuery':
      return markdownReferences(text);
    default:
      return [];
  }
}

const FRONT_MATTER = /^\ufeff?---[ \t]*\r?\n/;

function markdownReferences(text: string): Reference[] {
  const start = FRONT_MATTER.exec(text)?.[0].length;
  if (start === undefined) return [];
  const end = text.slice(start).search(/^---[ \t]*\r?$/m);
  if (end < 0) return [];
  const found = yamlReferences(text.slice(start, start + end), start);
  const body = text.indexOf('\n', start + end) + 1;
  const hasQuery = /^sql_query[ \t]*:/m.test(text.slice(start, start + end));
  if (hasQuery || body === 0) return found;
  return [...found, ...queryReferences(blankedBody(text.slice(body)), body)];
}

const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');

/** Replaces what is no SQL by blanks: comments of Markdown, and the lines around a block of code. */
const blankedBody = (body: string): string => replaceHtmlComments(body, blank).replace(/^```[^\n]*/gm, blank);

/** @param offset offset of the YAML in its file */
function yamlReferences(text: string, offset: number): Reference[] {
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false });
  if (document.errors.length > 0) return [];
  const found: Reference[] = [];
  const addPath = (node: unknown): void => {
    if (!isScalar(node) || typeof node.value !== 'string' || !PATH.test(node.value) || DATE_PART.test(node.value))
      return;
    const parts = namePartsOf(node.value, offset + contentStart(node));
    // A member that several cubes may have.
    found.push({ parts, owners: parts.length > 1 ? [] : undefined, isPath: true });
  };
  visit(document, {
    Pair: (_, { key, value }) => {
      const name = isScalar(key) ? String(key.value) : '';
      if (SQL.has(name) && isScalar(value)) {
        const sql = sqlText(text, value);
        if (sql !== undefined) found.push(...queryReferences(sql, offset + value.range![0]));
      } else if (MEMBERS.has(name)) (isSeq(value) ? value.items : [value]).forEach(addPath);
      else if (LISTS.test(name) && isSeq(value)) value.items.forEach(addPath);
      else if (COLUMNS.has(name) && isMap(value)) value.items.forEach((each) => isPair(each) && addPath(each.key));
    },
  });
  return found;
}

const isQuoted = ({ type }: Scalar): boolean => type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE';

const contentStart = (node: Scalar): number => node.range![0] + (isQuoted(node) ? 1 : 0);

/**
 * @returns text as long as the source of a scalar, with its SQL at the same offsets; undefined if escapes don't allow it
 */
function sqlText(text: string, node: Scalar & { range?: Node['range'] }): string | undefined {
  const [start, end] = node.range!;
  const source = text.slice(start, end);
  if (hasJinja(source)) return undefined;
  switch (node.type) {
    case 'QUOTE_SINGLE':
      return ` ${source.slice(1, -1).replaceAll("''", " '")} `;
    case 'QUOTE_DOUBLE':
      if (/\\[^nrt"\\\r\n]/.test(source)) return undefined;
      return source
        .replace(/^"|"$/g, ' ')
        .replace(/\\"([^"\\]*)\\"/g, ' "$1" ')
        .replace(/\\[^]/g, '  ');
    case 'BLOCK_LITERAL':
    case 'BLOCK_FOLDED':
      // The first line has the indicator.
      return source.replace(/^.*/, blank);
    default:
      return source;
  }
}
