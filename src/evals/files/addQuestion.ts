/** Adds a question to the text of a question file; comments, order and indentation stay. */
import { isMap, isSeq, parseDocument, type Document, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { t } from '../../shared/text/l10n.ts';
import { nameKey } from '../question.ts';
import { quotedScalar, yamlScalar } from './yaml.ts';

const KEY = 'eval_questions';

export interface NewQuestion {
  name: string;
  text: string;
  /** Name of the identity, written to the key `as`. */
  identity?: string;
  /** Name of the certified query whose rows are expected. */
  certifiedQuery?: string;
}

/** An insertion into the text that replaces `remove` characters. */
interface Insertion {
  offset: number;
  remove: number;
  text: string;
}

/**
 * @param text the file; empty for a new one
 * @throws Error if the file has errors or is not a question file
 */
export function addQuestion(text: string, question: NewQuestion): Insertion {
  const document = parse(text);
  const insertion = insertionFor(text, document, question);
  const { offset, remove, text: added } = insertion;
  const after = parse(text.slice(0, offset) + added + text.slice(offset + remove));
  const isValid = [document, after].every(({ errors }) => errors.length === 0);
  if (!isValid || questionCount(after) !== questionCount(document) + 1)
    throw new Error(t('The file with your questions has errors. Correct them first.'));
  return insertion;
}

/**
 * Names the certified query whose rows a question expects.
 * @param text the file
 * @param name name of a question of the file that is in no space and has no expected SQL
 * @throws Error if the file has errors, or the question is not in block or flow style
 */
export function linkQuestion(text: string, name: string, certifiedQuery: string): Insertion {
  const entry = entryNamed(parse(text), name);
  const insertion = entry && linkIn(text, entry, certifiedQuery);
  const after = insertion && parse(text.slice(0, insertion.offset) + insertion.text + text.slice(insertion.offset));
  if (!after || after.errors.length > 0 || entryNamed(after, name)?.get('certifiedQuery') !== certifiedQuery)
    throw new Error(t('The file with your questions has errors. Correct them first.'));
  return insertion;
}

function entryNamed({ contents }: Document, name: string): YAMLMap | undefined {
  const list = isMap(contents) ? contents.get(KEY) : undefined;
  const entries = isSeq(list) ? list.items : [];
  return entries.find(
    (entry): entry is YAMLMap => isMap(entry) && !entry.has('space') && String(entry.get('name')).trim() === name,
  );
}

/** Adds the key before the second one, or at the end of a map in flow style. */
function linkIn(text: string, entry: YAMLMap, certifiedQuery: string): Insertion {
  if (entry.flow)
    return {
      offset: spanOf(entry.items.at(-1)?.value as Node)[1],
      remove: 0,
      text: `, certifiedQuery: ${quotedScalar(certifiedQuery)}`,
    };
  const [offset] = spanOf(entry.items[1]?.key as Node);
  const indent = ' '.repeat(offset - text.lastIndexOf('\n', offset - 1) - 1);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { offset, remove: 0, text: `certifiedQuery: ${yamlScalar(certifiedQuery)}${eol}${indent}` };
}

const parse = (text: string): Document => parseDocument(text, { prettyErrors: false });

function questionCount({ contents }: Document): number {
  const list = isMap(contents) ? contents.get(KEY) : undefined;
  return isSeq(list) ? list.items.length : 0;
}

/** The result may be invalid, for example if the file is one map in flow style. */
function insertionFor(text: string, { contents }: Document, question: NewQuestion): Insertion {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const entry = (indent: string): string =>
    entryLines(question)
      .map((line) => indent + line)
      .join(eol) + eol;
  const pair = isMap(contents) ? contents.items.find(({ key }) => String(key) === KEY) : undefined;
  if (!pair) return appended(text, `${KEY}:${eol}${entry('  ')}`, eol);
  const list = pair.value as Node | null;
  if (isSeq(list) && list.items.length > 0) return list.flow ? inFlow(list, question) : inBlock(text, list, entry, eol);
  // The list has no entries: `eval_questions:` or `eval_questions: []`.
  const [, keyEnd] = spanOf(pair.key as Node);
  const colon = text.indexOf(':', keyEnd) + 1;
  const end = isSeq(list) ? spanOf(list)[1] : colon;
  const rest = /^[^\r\n]*(?:\r?\n)?/.exec(text.slice(end))![0];
  return { offset: colon, remove: end - colon + rest.length, text: `${rest.trimEnd()}${eol}${entry('  ')}` };
}

const spanOf = (node: Node): [number, number] => [node.range?.[0] ?? 0, node.range?.[1] ?? 0];

function appended(text: string, addition: string, eol: string): Insertion {
  const needsEnd = text !== '' && !text.endsWith('\n');
  return { offset: text.length, remove: 0, text: (needsEnd ? eol : '') + addition };
}

/** After the last line of the last entry, at the indentation of its dash. */
function inBlock(text: string, list: YAMLSeq, entry: (indent: string) => string, eol: string): Insertion {
  const last = list.items.at(-1) as Node;
  const [start, end] = spanOf(last);
  const dash = text.lastIndexOf('-', start);
  const indent = text.slice(text.lastIndexOf('\n', dash) + 1, dash);
  // A block scalar at the end includes its line end; anything else ends within its line.
  const lineEnd = text[end - 1] === '\n' ? end - 1 : text.indexOf('\n', end);
  if (lineEnd < 0) return { offset: text.length, remove: 0, text: eol + entry(indent) };
  return { offset: lineEnd + 1, remove: 0, text: entry(indent) };
}

function inFlow(list: YAMLSeq, question: NewQuestion): Insertion {
  const [, end] = spanOf(list.items.at(-1) as Node);
  return { offset: end, remove: 0, text: `, ${JSON.stringify(entryFields(question))}` };
}

const entryLines = (question: NewQuestion): string[] =>
  Object.entries(entryFields(question))
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${yamlScalar(value)}`]))
    .map((line, index) => `${index === 0 ? '-' : ' '} ${line}`);

/** @returns the entry of a question file; undefined keys are left out */
const entryFields = ({ name, text, identity, certifiedQuery }: NewQuestion) => ({
  name,
  question: text,
  as: identity,
  certifiedQuery,
});

/** Maximum number of characters of a proposed name. */
const MOST_LETTERS = 50;

/**
 * @param taken names in lower case
 * @returns a unique name for a question, such as `revenue_by_month_in_2024`
 */
export function proposedName(question: string, taken: ReadonlySet<string>): string {
  const words = question
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word.slice(0, MOST_LETTERS) : `${slug}_${word}`;
    if (longer.length > MOST_LETTERS) break;
    slug = longer;
  }
  slug ||= 'question';
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? slug : `${slug}_${number}`;
    if (!taken.has(name)) return name;
  }
}

/**
 * @param taken names in lower case
 * @returns why a name can't be used; undefined if it can
 */
export function nameProblem(name: string, taken: ReadonlySet<string>): string | undefined {
  if (name.trim() === '') return t('Enter a name.');
  return taken.has(nameKey(name.trim())) ? t('“{0}” is already the name of a question.', name.trim()) : undefined;
}
