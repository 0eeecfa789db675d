/** Plans the edits of a file for its cursors and the SQL. */
import { withinScript } from './markup/components.ts';
import { placeFinder, type Place } from './detect.ts';
import { hasSeveralStatements, hiddenCharacters, literalLineEnds, withoutFinalSemicolon } from './sql/hazards.ts';
import { toLineEnds, unifyLineEnds } from './indent.ts';
import { withoutLineEdges } from '../shared/text/lines.ts';
import { warn, type WriteRequest, type Written } from './place.ts';
import { provenanceText } from './provenance.ts';
import { isSemanticSql } from './sql/semantic.ts';
import type { InsertPlan, InsertRequest, InsertTarget, InsertWarning, Span, TextEdit } from './types.ts';
import { decodeProgram } from './code/treeLiteral.ts';
import { writeJs } from './code/writeJs.ts';
import { JSON_LITERALS, verifyJson, writeJson } from './markup/writeJson.ts';
import { decodeMarkdown, writeMarkdown } from './markup/writeMarkdown.ts';
import { decodeLiteral } from './literals/readLiteral.ts';
import { writeLiteral } from './literals/writeLiteral.ts';
import { writePython } from './code/writePython.ts';
import { writeDbt, writeOther, writePlain } from './sql/writeSql.ts';
import { loadedParser, type ProgramParser } from './code/grammars.ts';

import { applyEdits, firstFitting, verifier, verifyWith } from './verify.ts';
import { compareYaml, verifyYaml } from './yaml/verifyYaml.ts';
import { writeYaml } from './yaml/writeYaml.ts';

/** SQL that the platform's compiler rejects: next to a table name, or in a view. */
function modelConflicts(
  { yaml, reading, target: { isDataModel, key } }: Extract<Place, { language: 'yaml' }>,
  { selection, options }: WriteRequest,
): InsertWarning[] {
  if (!isDataModel || options.asComment || key !== 'sql') return [];
  const top = reading.entries.findLast(
    ({ column, start, ...entry }) => column === 0 && entry.key !== undefined && start <= selection.start,
  );
  return [
    ...(yaml.siblings.some((entry) => /^sql_?table$/i.test(entry.key ?? ''))
      ? [warn('duplicateKey', 'sql_table')]
      : []),
    ...(top?.key === 'views' ? [warn('rootKey', 'views')] : []),
  ];
}

const unsupported = ({ selection, sql }: WriteRequest): Written => ({
  edits: [{ ...selection, text: sql }],
  warnings: [warn('unfittedPlace')],
});

function write(place: Place, request: WriteRequest, parser: ProgramParser | undefined, isOneOfMany: boolean): Written {
  switch (place.language) {
    case 'yaml': {
      const { tabSize, insertSpaces } = request.options;
      const step = place.step ?? (insertSpaces && tabSize > 0 && tabSize < 10 ? tabSize : 2);
      const { isDataModel } = place.target;
      const { yaml, reading } = place;
      const isUnread = !reading.isSound || isOneOfMany;
      const own = { ...request, text: reading.text, isDataModel, step, isUnread };
      const replaces = request.selection.start !== request.selection.end;
      const written = firstFitting(
        [0, 1, 2].map((variant) => () => writeYaml(yaml, reading, { ...own, variant })),
        ({ edits, added }) => (isOneOfMany ? undefined : verifyYaml(reading, { edits, added, replaces })),
      );
      return { ...written, warnings: [...modelConflicts(place, own), ...written.warnings] };
    }
    case 'js': {
      const { js, script: text = request.text } = place;
      const own = { ...request, text };
      const verify = verifier(own, verifyWith(parser), parser && decodeProgram(parser, false));
      const fitting = firstFitting(
        js === undefined ? [() => unsupported(own)] : writeJs(js, own),
        // The grammar reports an error for a JSX expression that contains only a comment.
        (written) => parser === undefined || (js?.isJsx && own.options.asComment) || verify(written) === true,
      );
      return place.script === undefined ? fitting : withinScript(fitting);
    }
    case 'python': {
      const grammar = loadedParser('python', '');
      const verify = verifier(request, verifyWith(grammar), grammar && decodeProgram(grammar, true));
      return firstFitting(writePython(place, request, grammar), verify);
    }
    case 'dbt':
      return writeDbt(place.token, request);
    case 'sql':
      return writePlain(place.token, request);
    case 'markdown': {
      const { markdown } = place;
      const grammar = loadedParser('markdown', '');
      if (grammar === undefined || markdown === undefined) return unsupported(request);
      const verifyFile = verifyWith(isOneOfMany ? undefined : grammar, true);
      const decode = isOneOfMany ? undefined : decodeMarkdown(grammar);
      return firstFitting([() => writeMarkdown(markdown, request)], verifier(request, verifyFile, decode));
    }
    case 'json': {
      const verify = verifier(request, (text, _, after) => verifyJson(text, after), decodeLiteral(JSON_LITERALS));
      // A value is written only into a file that it makes, or leaves, valid.
      return firstFitting(writeJson(request), (written) =>
        isOneOfMany ? written.literalAt === undefined : (verify(written) ?? written.literalAt === undefined),
      );
    }
    case 'other': {
      const { literals } = place;
      if (literals === undefined) return writeOther(request);
      const decode = isOneOfMany ? undefined : decodeLiteral(literals);
      const verifyFile = verifyWith(literals.hasScripts ? undefined : parser);
      return firstFitting(writeLiteral(literals, request), verifier(request, verifyFile, decode));
    }
  }
}

/** The problems of this SQL for this target, independent of the position in the file. */
function hazardsOf(
  sql: string,
  { isWarehouseSql, isDataModel, kind, key = '' }: InsertTarget,
  { options }: InsertRequest,
): InsertWarning[] {
  if (options.asComment) return hiddenCharacters(sql);
  const isOneStatement = isWarehouseSql || isDataModel || kind === 'jsTemplate';
  return [
    ...(isWarehouseSql && isSemanticSql(sql, options.knownNames) ? [warn('semanticSql')] : []),
    ...(isOneStatement && hasSeveralStatements(sql) ? [warn('multipleStatements')] : []),
    ...(isDataModel && /^sql_?table$/i.test(key) ? [warn('unfittedPlace', 'sql_table')] : []),
    ...hiddenCharacters(sql),
    ...literalLineEnds(sql, options.eol),
  ];
}

const sameEdit = (a: TextEdit, b: TextEdit): boolean => a.start === b.start && a.end === b.end && a.text === b.text;
const overlap = (a: TextEdit, b: TextEdit): boolean =>
  (a.start < b.end && b.start < a.end) || (a.start === b.start && a.end === b.end);

/** Sorts the edits of all cursors, and drops cursors whose edits overlap with earlier ones. */
function merged(all: readonly Written[]): { edits: TextEdit[]; isComplete: boolean } {
  const edits: TextEdit[] = [];
  let isComplete = true;
  for (const { edits: own } of all) {
    // Several cursors in one block change its header in the same way.
    const fresh = own.filter((edit) => !(own.length > 1 && edits.some((other) => sameEdit(edit, other))));
    if (fresh.some((edit) => edits.some((other) => overlap(edit, other)))) isComplete = false;
    else edits.push(...fresh);
  }
  return { edits: edits.sort((a, b) => a.start - b.start || a.end - b.end), isComplete };
}

/** Merges adjacent edits, so that their order does not matter. */
function joined(edits: readonly TextEdit[]): TextEdit[] {
  const result: TextEdit[] = [];
  for (const edit of edits) {
    const last = result.at(-1);
    if (last?.end === edit.start)
      result[result.length - 1] = { start: last.start, end: edit.end, text: last.text + edit.text };
    else result.push(edit);
  }
  return result;
}

function unique(warnings: readonly InsertWarning[]): InsertWarning[] {
  return warnings.filter(
    ({ code, detail }, index) =>
      warnings.findIndex((other) => other.code === code && other.detail === detail) === index,
  );
}

/** Number of cursors above which edits are only verified together. */
const MANY = 20;
const BYTE_ORDER_MARK = '\ufeff';
const moved = <S extends Span>(span: S, by: number): S => ({
  ...span,
  start: Math.max(0, span.start + by),
  end: Math.max(0, span.end + by),
});

/** The shebang line, before which nothing can be inserted; a cursor in it moves below. */
const SHEBANG = /^#![^\n]*\n/;

/**
 * Plans the insertion of SQL into a file: escaped, indented and with the file's line ends. Trailing semicolons are
 * dropped where one warehouse statement is expected.
 * @returns the edits of one undo step and the warnings; no edits for empty SQL
 */
export function planInsertion(request: InsertRequest): InsertPlan {
  const { document, selections, mode, options } = request;
  if (request.sql === '') return { edits: [], warnings: [], targets: [] };
  if (document.text.startsWith(BYTE_ORDER_MARK)) {
    const behind = { ...document, text: document.text.slice(1) };
    const plan = planInsertion({ ...request, document: behind, selections: selections.map((span) => moved(span, -1)) });
    return { ...plan, edits: plan.edits.map((edit) => moved(edit, 1)) };
  }
  const note = options.provenance && provenanceText(options.provenance);
  const placeAt = placeFinder(document);
  const isOneOfMany = selections.length > MANY;
  const loaded = loadedParser(document.languageId, document.isNotebookCell ? '' : document.fileName);
  const parser = isOneOfMany ? undefined : loaded;
  const least = SHEBANG.exec(document.text)?.[0].length ?? 0;
  const plans = selections.map((selected) => {
    const end = Math.max(selected.end, least);
    const isCursor = mode === 'insert' || selected.start === selected.end;
    const selection = isCursor ? { start: end, end } : withoutLineEdges(document.text, selected);
    const place = placeAt(selection);
    const isBare = place.target.isWarehouseSql && !options.asComment;
    const sql = unifyLineEnds(isBare ? withoutFinalSemicolon(request.sql) : request.sql);
    const written = write(place, { text: document.text, selection, sql, note, options }, parser, isOneOfMany);
    return {
      target: place.target,
      language: 'script' in place && place.script !== undefined ? 'page' : place.language,
      written,
      hazards: hazardsOf(request.sql, place.target, request),
    };
  });
  const { edits, isComplete } = merged(plans.map(({ written }) => written));
  const warnings = plans.flatMap(({ hazards, written }) => [...hazards, ...written.warnings]);
  if (plans.length > 1 && plans.some(({ language }) => language === 'yaml')) {
    const { isBroken, hasNewTwoKeys } = compareYaml(document.text, applyEdits(document.text, edits));
    if (isBroken) warnings.push(warn('unfittedPlace'));
    // Several cursors in one mapping would each add a key.
    if (hasNewTwoKeys) warnings.push(warn('duplicateKey', 'sql'));
  }
  if (plans.length > 1 && plans.every(({ language }) => language === 'js')) {
    const after = applyEdits(document.text, edits);
    const isRead = verifyWith(loaded)(document.text, edits, after, { addsCode: false, isReparsed: true });
    if (isRead === false) warnings.push(warn('unfittedPlace'));
  }
  if (!isComplete) warnings.push(warn('overlappingCursors'));
  return {
    edits: joined(edits).map((edit) => ({ ...edit, text: toLineEnds(edit.text, options.eol) })),
    warnings: unique(warnings),
    targets: plans.map(({ target }) => target),
  };
}

export { loadGrammar } from './code/grammars.ts';
export { applyEdits } from './verify.ts';
