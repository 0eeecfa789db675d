/** Plans the edits of a file for its cursors and the SQL. */
import { readerOf, targetOf } from './detect.ts';
import { hasSeveralStatements, hiddenCharacters, literalLineEnds, withoutFinalSemicolon } from './sql/hazards.ts';
import { unifiedText, toLineEnds, unifyLineEnds } from './indent.ts';
import { withoutLineEdges } from '../shared/text/lines.ts';
import { warn, type Written } from './writing.ts';
import { provenanceText } from './provenance.ts';
import { isSemanticSql } from './sql/semantic.ts';
import type { InsertPlan, InsertRequest, InsertTarget, InsertWarning, TextEdit } from './types.ts';
import { applyEdits, inOrder } from './verify.ts';

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
  return { edits: inOrder(edits), isComplete };
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

const unique = (warnings: readonly InsertWarning[]): InsertWarning[] => [
  ...new Map(warnings.map((warning) => [`${warning.code} ${warning.detail}`, warning])).values(),
];

/** The shebang line, before which nothing can be inserted; a cursor in it moves below. */
const SHEBANG = /^#![^\n]*\n/;

/** @returns the edits of one undo step and the warnings; no edits for empty SQL */
export function planInsertion(request: InsertRequest): InsertPlan {
  const { mode, options } = request;
  if (request.sql === '') return { edits: [], warnings: [], targets: [] };
  const { text, toText, toFile } = unifiedText(request.document.text);
  const document = { ...request.document, text };
  const note = options.provenance && provenanceText(options.provenance);
  const read = readerOf(document);
  const least = SHEBANG.exec(text)?.[0].length ?? 0;
  const plans = request.selections.map(toText).map((selected) => {
    const end = Math.max(selected.end, least);
    const isCursor = mode === 'insert' || selected.start === selected.end;
    const selection = isCursor ? { start: end, end } : withoutLineEdges(text, selected);
    const site = read(selection);
    const target = targetOf(document, site);
    const isBare = target.isWarehouseSql && !options.asComment;
    const sql = unifyLineEnds(isBare ? withoutFinalSemicolon(request.sql) : request.sql);
    const written = site.write({ text, selection, sql, note, options });
    return { ...written, target, warnings: [...hazardsOf(request.sql, target, request), ...written.warnings] };
  });
  const { edits, isComplete } = merged(plans);
  const warnings = plans.flatMap((plan) => plan.warnings);
  if (plans.length > 1) warnings.push(...(read.conflicts?.(edits, applyEdits(text, edits)) ?? []));
  if (!isComplete) warnings.push(warn('overlappingCursors'));
  return {
    edits: joined(edits).map((edit) => ({ ...toFile(edit), text: toLineEnds(edit.text, options.eol) })),
    warnings: unique(warnings),
    targets: plans.map(({ target }) => target),
  };
}

export { loadGrammar } from './code/grammars.ts';
export { applyEdits } from './verify.ts';
