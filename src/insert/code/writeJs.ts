/** Writes SQL into JavaScript and TypeScript, so that the evaluated literal is the SQL. */
import { inQuotes } from '../literals/languages.ts';
import { writeInside } from '../literals/writeInside.ts';
import { warn, withNote, type WriteRequest, type Written } from '../place.ts';
import { TEMPLATE_LITERAL } from './treeLiteral.ts';
import { commentAbove, framed, unfitted } from './frame.ts';
import { jsFrames, jsPropertyFrames, type JsFrame } from './frameJs.ts';
import { lastToken, siblings, type JsPoint } from './jsPoint.ts';
import { isBlank } from '../../shared/text/lines.ts';

const blockComment = (about: string): string => `/* ${about.replaceAll('*/', '*\\/')} */`;

function commentCode({ codeLine, isJsx, node }: JsPoint, { text, selection, sql }: WriteRequest): Written {
  if (!isJsx) return { edits: [commentAbove(text, codeLine, sql, '//')], warnings: [] };
  const { prev } = siblings(node, selection);
  const isText = /^JSX(?:Text|Element)$/.test(node.name) && !(prev && lastToken(prev).name === '{');
  return { edits: [{ ...selection, text: isText ? `{${blockComment(sql)}}` : blockComment(sql) }], warnings: [] };
}

const VALUES = { mark: '//', value: inQuotes('`', TEMPLATE_LITERAL) };

/** @returns every way to write the SQL into code, then the bare literal for an unsupported position */
function* writeCode(point: JsPoint, request: WriteRequest): Generator<() => Written> {
  const { text, selection, options } = request;
  if (options.asComment) return yield () => commentCode(point, request);
  const { note, ...noteless } = request;
  const isInJsx = point.isJsx && note !== undefined;
  const step = options.insertSpaces ? ' '.repeat(options.tabSize) : '\t';
  const frames: JsFrame[] = jsFrames(text, point, selection, step);
  for (const frame of [...frames, { ...unfitted, role: 'value' } satisfies JsFrame]) {
    const noted = isInJsx ? { ...frame, open: `${frame.open}${blockComment(note)} ` } : frame;
    for (const write of framed(noted, VALUES, isInJsx ? noteless : request, point.codeLine))
      yield () => ({ ...write(), role: frame.role, ...(frame.isReparsed && { isReparsed: true }) });
  }
}

/**
 * @param label text of the property before its value, such as `description: `
 * @param end text after the value
 * @returns ways to write a property of an object
 */
export function* writeJsProperty(
  point: JsPoint,
  request: WriteRequest,
  label: string,
  end: string,
): Generator<() => Written> {
  const { text, selection, options } = request;
  const step = options.insertSpaces ? ' '.repeat(options.tabSize) : '\t';
  for (const frame of jsPropertyFrames(text, point, selection, step, label, end))
    for (const write of framed(frame, VALUES, request, point.codeLine)) yield () => ({ ...write(), role: frame.role });
}

/** An attribute without other text becomes an expression if the SQL needs escapes, which attributes don't have. */
function writeAttribute({ node }: JsPoint, { selection, text, sql, note }: WriteRequest): Written {
  const isWhole = isBlank(text.slice(node.from + 1, selection.start) + text.slice(selection.end, node.to - 1));
  const expression = `{\`${TEMPLATE_LITERAL.write(withNote(sql, note))}\`}`;
  const edits = [{ start: node.from, end: node.to, text: expression }];
  return { edits, warnings: isWhole ? [] : [warn('unfittedPlace')], literalAt: 3 };
}

/** @returns ways to write the SQL at this point of a JavaScript or TypeScript file, best first */
export function writeJs(point: JsPoint, request: WriteRequest): Iterable<() => Written> {
  const { found } = point;
  if (found === undefined) return writeCode(point, request);
  const inside = (): Written => writeInside(found, request);
  return point.node.name === 'JSXAttributeValue' ? [inside, () => writeAttribute(point, request)] : [inside];
}
