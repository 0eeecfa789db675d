/** Writes SQL into XML, HTML and components: into their text and attributes, and into their scripts. */
import type { Tree } from '@lezer/common';
import { loadedParser, scriptsOf, type ProgramParser } from '../code/grammars.ts';
import { parse } from '../code/verifyCode.ts';
import { readJs } from '../code/writeJs.ts';
import { indentOnEmptyLine, newLine } from '../code/wrapper.ts';
import { isBlank, lineAt } from '../../shared/text/lines.ts';
import { decodeWithin, endOfHole } from '../literals/readLiteral.ts';
import { writeInside } from '../literals/writeInside.ts';
import {
  openBracketAt,
  unsupported,
  warn,
  withNote,
  type Decode,
  type Reader,
  type Site,
  type WriteRequest,
  type Written,
} from '../writing.ts';
import type { SourceDocument, Span } from '../types.ts';
import { firstFitting, verifier, verifyWith } from '../verify.ts';
import { escapedIn, tagName, takesComment, textInMarkup, type MarkupRules } from './markupText.ts';

const TYPE = /\stype\s*=\s*["']?([^\s"'>]*)/i;
/** Matches the types of scripts that are JavaScript or TypeScript. */
const PROGRAM = /^(?:module|(?:text|application)\/(?:java|ecma|type)script|text\/(?:babel|jsx))?$/i;
/** Matches the script at the beginning of an Astro file, and the variables of a page that another tool builds. */
const FRONTMATTER = /^(---\n)([^]*?\n)---/;

function scriptAt(tree: Tree, text: string, offset: number, isAstro: boolean): Span | undefined {
  const [, mark = '', script = ''] = (isAstro && FRONTMATTER.exec(text)) || [];
  const scriptEnd = mark.length + script.length;
  // Exclude the position before the closing `---`, which must stay at the start of its line.
  if (offset >= mark.length && offset < scriptEnd) return { start: mark.length, end: scriptEnd };
  let element = tree.resolveInner(offset);
  while (element.parent && element.name !== 'Element') element = element.parent;
  const tag = element.firstChild;
  const end = element.getChild('CloseTag')?.from ?? element.to;
  if (!tag || offset < tag.to || offset > end || !/^script$/i.test(tagName(element, text))) return undefined;
  return PROGRAM.test(TYPE.exec(text.slice(tag.from, tag.to))?.[1] ?? '') ? { start: tag.to, end } : undefined;
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** A program in a file, or an expression, which is read in parentheses. */
export interface Part extends Span {
  isExpression?: boolean;
}

/** @returns the part at its offsets, with blank text before it */
function alone(text: string, { start, end, isExpression }: Part): string {
  // Add line breaks at the ends of the program, which may share lines with its tags.
  const [open, close] = isExpression ? '()' : '\n\n';
  return (start > 0 ? blank(text.slice(0, start - 1)) + open : '') + text.slice(start, end) + close;
}

/** @returns the site in a program or expression in a file of another language */
export const siteInPart = (document: SourceDocument, languageId: string, part: Part, selection: Span): Site =>
  readJs({ ...document, languageId, fileName: '' }, alone(document.text, part))(selection);

/** Matches the start of a directive of Vue up to a place in its value, unless it contains names instead of values there. */
const EXPRESSION = /^(?:[:@]|v-(?!(?:slot|model|for)\b)|v-for\b.*\s(?:in|of)\s)/s;

/** Matches what precedes the expression in braces; other blocks and tags of Svelte contain names and patterns. */
const KEYWORD = /^\s*(?:[#:@](?:if|else if|each|html|key|await|render|const|attach)\b)?(?!\s*(?:[#:@]|\/[a-z]))/;
/** Matches what precedes the names of a list or promise in braces. */
const UP_TO_NAMES = /^\s*#(?:each|await)\b[^]*(?=\s(?:as|then|catch)\s)/;

/** @returns the expression around an offset: in braces, or the value of a directive of Vue */
function expressionAt(tree: Tree, text: string, offset: number, isVue: boolean): Part | undefined {
  const { name, from, to, parent } = tree.resolveInner(offset);
  if (/^(?:Comment|StyleText|ScriptText)$/.test(name)) return undefined;
  if (isVue && name === 'AttributeValue')
    return EXPRESSION.test(text.slice(parent?.from, offset))
      ? { start: from + 1, end: to - 1, isExpression: true }
      : undefined;
  const before = text.slice(from, offset);
  let open = -1;
  for (let at = openBracketAt(before, '{'); at >= 0; at = openBracketAt(before.slice(0, at), '{')) open = at;
  if (open < 0 || (isVue && before.charAt(open + 1) !== '{')) return undefined;
  const brace = from + open + (isVue ? 2 : 1);
  const hole = text.slice(brace, (endOfHole(text, brace) ?? 0) - 1);
  const keyword = text.startsWith('let:', parent?.from) ? null : KEYWORD.exec(hole);
  if (keyword === null) return undefined;
  const start = brace + keyword[0].length;
  const end = brace + (UP_TO_NAMES.exec(hole)?.[0] ?? hole).length;
  return start <= offset && offset <= end ? { start, end, isExpression: true } : undefined;
}

/**
 * @returns the edits of a script, escaped so that they contain no closing tag; and in an element of Astro, whose compiler
 * escapes backticks once more, no escaped backtick
 */
const withinScript = ({ edits, warnings }: Written, isAstroElement: boolean): Written => ({
  edits: edits.map((edit) => {
    const text = edit.text.replace(/<\/(?=script)/gi, '<\\/');
    return { ...edit, text: isAstroElement ? text.replaceAll('\\`', '\\x60') : text };
  }),
  warnings,
});

/** @returns the edits of an expression, which Vue decodes like an attribute; a comment above it is not possible */
function withinExpression({ edits, warnings }: Written, { start }: Span, rules: MarkupRules | undefined): Written {
  const escape = rules ? escapedIn(rules).write : (text: string) => text;
  return {
    edits: edits.map((edit) => ({ ...edit, text: escape(edit.text) })),
    warnings: edits.some((edit) => edit.start < start) ? [...warnings, warn('unfittedPlace')] : warnings,
  };
}

const decodeMarkup =
  (parser: ProgramParser, rules: MarkupRules): Decode =>
  (after, range, { keeps, literalAt = 0 }) => {
    const start = range.start + literalAt;
    const found = textInMarkup(parse(parser, after), after, start, rules);
    const isWhole = found && (keeps === undefined ? found.start === start : after.length - found.end === keeps);
    return isWhole ? decodeWithin(after, range, found) : undefined;
  };

/** @returns the site between the quotes of a value that is missing behind an equals sign; undefined if it is there */
function missingValue(document: SourceDocument, { start: at, end }: Span): Site | undefined {
  const { text } = document;
  if (!/^(?:\s|\/?>)/.test(text.slice(end))) return undefined;
  const quoted = `${text.slice(0, at)}""${text.slice(end)}`;
  const between = { start: at + 1, end: at + 1 };
  const site = readMarkup({ ...document, text: quoted })(between);
  const write = (request: WriteRequest): Written => {
    const { edits, warnings } = site.write({ ...request, text: quoted, selection: between });
    const value = edits.map((edit) => edit.text).join('');
    return edits.length > 1
      ? unsupported(request)
      : { edits: [{ ...request.selection, text: `"${value}"` }], warnings };
  };
  return { ...site, write };
}

/** Writes a comment between elements, where text is not possible. */
function writeBetween(request: WriteRequest): Written[] {
  const { text, selection, sql, note } = request;
  const { start, end, text: line } = lineAt(text, selection.start);
  if (!isBlank(text.slice(selection.end, end)) || /--!?>/.test(sql)) return [];
  const before = text.slice(start, selection.start);
  const open = line === '' ? indentOnEmptyLine(request) : isBlank(before) ? '' : newLine(request);
  return [{ edits: [{ ...selection, text: `${open}<!-- ${withNote(sql, note)} -->` }], warnings: [], isComment: true }];
}

/** @returns the reader of a markup file, whose grammar must have been loaded */
export function readMarkup(document: SourceDocument): Reader {
  const { text, languageId, fileName } = document;
  const parser = loadedParser(document);
  if (parser === undefined) return () => ({ kind: 'other', write: unsupported });
  const tree = parse(parser, text);
  const scripts = scriptsOf(languageId, fileName);
  const hasExpressions = scripts !== undefined && scripts !== 'jsx';
  const isVue = languageId === 'vue' || fileName.endsWith('.vue');
  const rules = { hasRoot: scripts === undefined, hasFreeText: !isVue, hasExpressions };
  const write = (request: WriteRequest): Written => {
    const { start } = request.selection;
    const found = textInMarkup(tree, text, start, rules);
    const isInFront = start < (FRONTMATTER.exec(text)?.[0].length ?? 0);
    const isBetween = !rules.hasRoot && !isInFront && takesComment(tree, text, start);
    return firstFitting(
      found ? [writeInside(found, request)] : [...(isBetween ? writeBetween(request) : []), unsupported(request)],
      verifier(request, verifyWith(parser), decodeMarkup(parser, rules)),
    );
  };
  return (selection) => {
    const missing = tree.resolveInner(selection.start, -1).name === 'Is' && missingValue(document, selection);
    if (missing) return missing;
    const script = scriptAt(tree, text, selection.start, scripts === 'tsx');
    const part = script ?? (scripts === 'ts' ? expressionAt(tree, text, selection.start, isVue) : undefined);
    if (scripts === undefined || part === undefined) return { kind: 'other', write };
    const site = siteInPart(document, scripts, part, selection);
    if (script === undefined)
      return { ...site, write: (request) => withinExpression(site.write(request), part, isVue ? rules : undefined) };
    const isAstroElement = scripts === 'tsx' && text.charAt(script.start - 1) === '>';
    return { ...site, write: (request) => withinScript(site.write(request), isAstroElement) };
  };
}
