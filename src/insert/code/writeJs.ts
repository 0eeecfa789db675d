/** Writes SQL into JavaScript and TypeScript, so that the evaluated literal is the SQL. */
import { apart, commentLines, fitInLine, warn, withNote, type WriteRequest, type Written } from '../place.ts';
import { commentAbove, framed, indentOf, unfitted } from './frame.ts';
import { jsFrames, type JsFrame } from './frameJs.ts';
import { lastToken, siblings, type JsPoint } from './jsPoint.ts';
import { indentLines, indentRest } from '../indent.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';

/** @returns the text between backticks */
const templateText = (sql: string): string => sql.replace(/[\\`]|\$(?=\{)/g, '\\$&');

const stringText = (sql: string, quote: string): string =>
  sql
    .replace(/[\\\u2028\u2029]/g, (character) =>
      character === '\\' ? '\\\\' : `\\u${character.charCodeAt(0).toString(16)}`,
    )
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\n', '\\n');

const blockComment = (about: string): string => `/* ${about.replaceAll('*/', '*\\/')} */`;

function commentCode({ codeLine, isJsx, node }: JsPoint, { text, selection, sql }: WriteRequest): Written {
  if (!isJsx) return { edits: [commentAbove(text, codeLine, sql, '//')], warnings: [] };
  const { prev } = siblings(node, selection);
  const isText = /^JSX(?:Text|Element)$/.test(node.name) && !(prev && lastToken(prev).name === '{');
  return { edits: [{ ...selection, text: isText ? `{${blockComment(sql)}}` : blockComment(sql) }], warnings: [] };
}

/** @returns every way to write the SQL into code, then the bare literal for an unsupported position */
function writeCode(point: JsPoint, request: WriteRequest): (() => Written)[] {
  const { text, selection, sql, options } = request;
  if (options.asComment) return [() => commentCode(point, request)];
  const { note, ...noteless } = request;
  const line = { codeLine: point.codeLine, mark: '//' };
  const frames: JsFrame[] = jsFrames(text, point, selection, options.insertSpaces ? ' '.repeat(options.tabSize) : '\t');
  return [...frames, { ...unfitted, role: 'value' } satisfies JsFrame].map((frame) => () => {
    const literal = `\`${templateText(indentLines(sql, indentOf(frame, text, selection.start), options))}\``;
    const written =
      point.isJsx && note !== undefined
        ? framed(frame, `${blockComment(note)} ${literal}`, noteless, line)
        : framed(frame, literal, request, line);
    return { ...written, role: frame.role, ...(frame.isReparsed && { isReparsed: true }) };
  });
}

const isRaw = ({ parent }: JsPoint['node'], text: string): boolean =>
  parent?.name === 'TaggedTemplateExpression' && text.startsWith('String.raw', parent.from);

/** Attributes have no escapes: one without other text becomes an expression if the SQL needs escapes. */
function writeAttribute({ node }: JsPoint, fitted: string, { selection, text, sql, note }: WriteRequest): Written {
  const isPlain = !/[&\n]/.test(fitted) && !fitted.includes(text.charAt(node.from));
  const isWhole = isBlank(text.slice(node.from + 1, selection.start) + text.slice(selection.end, node.to - 1));
  if (isPlain || !isWhole)
    return { edits: [{ ...selection, text: fitted }], warnings: isPlain ? [] : [warn('unfittedPlace')] };
  const expression = `{\`${templateText(withNote(sql, note))}\`}`;
  return { edits: [{ start: node.from, end: node.to, text: expression }], warnings: [] };
}

/**
 * A literal that contains only the SQL gets it unchanged. On an indented line of a template, the SQL is indented as
 * well, except in its own literals.
 */
function writeContent(point: JsPoint, request: WriteRequest): Written {
  const { kind, node, isCut } = point;
  const { text, selection, sql, note, options } = request;
  const quote = text.charAt(node.from);
  const line = lineAt(text, selection.start);
  const before = text.slice(Math.max(line.start, node.from + 1), selection.start);
  const rest = text.slice(selection.end, lineAt(text, selection.end).end);
  const after = rest.trimStart().startsWith(quote) ? '' : rest;
  const commented = options.asComment ? commentLines(sql, '--') : sql;
  const fitted = fitInLine(apart(commented, { before, after: rest }), note, { before, after });
  if (node.name === 'JSXAttributeValue' && !isCut) return writeAttribute(point, fitted, request);
  const indented = indentLines(fitted, leadingWhite(line.start > node.from ? before : line.text), options);
  const written =
    kind === 'jsString' ? stringText(fitted, quote) : isRaw(node, text) ? indented : templateText(indented);
  return { edits: [{ ...selection, text: written }], warnings: isCut ? [warn('unfittedPlace')] : [] };
}

function writeComment({ node }: JsPoint, { text, selection, sql, note }: WriteRequest): Written {
  const indent = leadingWhite(lineAt(text, selection.start).text);
  const whole = note === undefined ? sql : `${note}\n${sql}`;
  const written =
    node.name === 'LineComment'
      ? indentRest(whole, `${indent}// `).replace(/\n(?=\n|$)/g, `\n${indent}//`)
      : indentRest(whole.replaceAll('*/', '*\\/'), `${indent} * `);
  return { edits: [{ ...selection, text: written }], warnings: [warn('insideComment')] };
}

/** @returns ways to write the SQL at this point of a JavaScript or TypeScript file, best first */
export function writeJs(point: JsPoint, request: WriteRequest): (() => Written)[] {
  switch (point.kind) {
    case 'jsTemplate':
    case 'jsString':
      return [() => writeContent(point, request)];
    case 'jsComment':
      return [() => writeComment(point, request)];
    case 'jsCode':
      return writeCode(point, request);
  }
}
