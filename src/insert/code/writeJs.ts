/** Writes SQL into JavaScript and TypeScript, so that the evaluated literal is the SQL. */
import { writeInside } from '../literals/writeInside.ts';
import { fitInLiteral } from '../sql/fitSql.ts';
import { unsupported, warn, type Reader, type WriteRequest, type Written } from '../writing.ts';
import type { SourceDocument, TargetKind, TextEdit } from '../types.ts';
import { firstFitting, verifier, verifyWith } from '../verify.ts';
import { loadedParser } from './grammars.ts';
import { decodeProgram, formInJs, TEMPLATE_LITERAL } from './treeLiteral.ts';
import { parse, verifyCode } from './verifyCode.ts';
import { unsupportedWrapper, writeCode } from './wrapper.ts';
import { jsWrappers } from './wrapperJs.ts';
import { jsPoint, type JsPoint } from './jsPoint.ts';
import { isBlank, lineAt } from '../../shared/text/lines.ts';

const VALUES = { mark: '//', value: (sql: string) => `\`${TEMPLATE_LITERAL.write(sql)}\`` };

/** An attribute becomes an expression if the SQL needs escapes, which attributes don't have. */
function writeAttribute({ node: { from, to } }: JsPoint, request: WriteRequest): Written[] {
  const { selection, text } = request;
  const [before, after] = [text.slice(from + 1, selection.start), text.slice(selection.end, to - 1)];
  // Entities and escapes mean something else in a template literal.
  if (/[&`$\\]/.test(before + after)) return [];
  const content = { start: before.length, end: selection.end - from - 1 };
  const value = TEMPLATE_LITERAL.write(fitInLiteral(request, text.slice(from + 1, to - 1), content));
  const edits = [
    { start: from, end: from + 1, text: '{`' },
    { start: to - 1, end: to, text: '`}' },
    { ...selection, text: value },
  ];
  return [{ edits, warnings: [] }];
}

/** Matches lists of names, types or cases, between which only a comment is possible. */
const OF_NAMES =
  /^(?:(?:Object|Tuple|Parenthesized)Type|(?:Type)?ParamList|TypeArgList|(?:Object|Array)Pattern|(?:Im|Ex)portGroup|(?:Enum|Switch)Body)$/;

/** @returns the ways to write the SQL, best first, then the bare literal for an unsupported position */
export function* writeJs(point: JsPoint, request: WriteRequest): Generator<Written> {
  const { found, node, codeLine } = point;
  const { text, selection } = request;
  if (found) {
    yield writeInside(found, request);
    if (node.name === 'JSXAttributeValue') yield* writeAttribute(point, request);
    return;
  }
  const isAtEnd = isBlank(text.slice(selection.end, lineAt(text, selection.end).end));
  const comments = isAtEnd && OF_NAMES.test(node.name) ? (['comment'] as const) : [];
  const wrappers = node.name === 'ObjectType' ? [] : jsWrappers(point, request);
  yield* writeCode(request, VALUES, codeLine, [...wrappers, ...comments, unsupportedWrapper]);
}

function kindOf({ found }: JsPoint): TargetKind {
  if (found === undefined) return 'jsCode';
  if (found.form.isComment) return 'jsComment';
  return found.node.name === 'TemplateString' ? 'jsTemplate' : 'jsString';
}

const isJsModel = (text: string): boolean => /(^|[^\w$.])(cube|view)\s*\(\s*[`'"]/.test(text);

/** @returns the reader of a program, whose grammar must have been loaded */
export function readJs(document: SourceDocument): Reader {
  const { text } = document;
  const parser = loadedParser(document);
  const isDataModel = isJsModel(text);
  if (parser === undefined) return () => ({ kind: 'jsCode', isDataModel, write: unsupported });
  const decode = decodeProgram(parser, formInJs);
  const at: Reader = (selection) => {
    const point = jsPoint(parse(parser, text), text, selection);
    const isMember = !point.found && !point.node.type.isTop;
    const write = (request: WriteRequest): Written =>
      firstFitting(writeJs(point, request), verifier(request, verifyWith(parser), decode));
    return {
      kind: kindOf(point),
      key: point.key === '' && isMember ? 'sql' : point.key,
      isDataModel,
      write,
    };
  };
  const isBroken = (edits: readonly TextEdit[], after: string): boolean =>
    !verifyCode(parser, text, edits, after, { addsCode: false, isReparsed: true });
  return Object.assign(at, {
    conflicts: (edits: readonly TextEdit[], after: string) => (isBroken(edits, after) ? [warn('unfittedPlace')] : []),
  });
}
