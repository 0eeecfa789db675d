/** Writes SQL into JavaScript and TypeScript, so that the evaluated literal is the SQL. */
import { writeInside } from '../literals/writeInside.ts';
import { unsupported, warn, type Reader, type WriteRequest, type Written } from '../writing.ts';
import type { SourceDocument, TargetKind, TextEdit } from '../types.ts';
import { firstFitting, verifier, verifyWith } from '../verify.ts';
import { loadedParser } from './grammars.ts';
import { decodeProgram, formInJs, TEMPLATE_LITERAL } from './treeLiteral.ts';
import { parse, verifyCode } from './verifyCode.ts';
import { unsupportedWrapper, writeCode } from './wrapper.ts';
import { jsWrappers } from './wrapperJs.ts';
import { jsPoint, type JsPoint } from './jsPoint.ts';

const VALUES = { mark: '//', value: (sql: string) => `\`${TEMPLATE_LITERAL.write(sql)}\`` };

/** @returns the ways to write the SQL, best first, then the bare literal for an unsupported position */
export function* writeJs(point: JsPoint, request: WriteRequest): Generator<Written> {
  const { found, codeLine } = point;
  if (found) yield writeInside(found, request);
  else yield* writeCode(request, VALUES, codeLine, [...jsWrappers(point, request), unsupportedWrapper]);
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
