/** SQL cells in the source form of a notebook, in which the lines of other languages are comments: `# MAGIC SELECT 1`. */
import { isBlank, linesOf, type Line } from '../../shared/text/lines.ts';
import { innerCode, type InnerLines } from '../innerCode.ts';
import type { SourceDocument, Span } from '../types.ts';
import type { Reader, Site, WriteRequest, Written } from '../writing.ts';
import { readSql } from './writeSql.ts';

/** Matches the first line of a notebook, with the mark of its comments. */
const NOTEBOOK = /^(#|\/\/) (?:Databricks|Fabric) notebook source/;
const MAGIC = /^(?:#|\/\/) MAGIC ?/;
/** Matches the magic of a SQL cell. Behind a single percent sign, SQL may begin on the same line. */
const OPENING = /^(?:#|\/\/) MAGIC[ \t]+(%%?)\w*sql\b[ \t]*/;

/** The lines of the SQL cell around an offset; undefined if there is none. */
function cellAt(text: string, offset: number, mark: string): InnerLines | undefined {
  const lines = linesOf(text);
  const at = lines.findLastIndex((line) => line.start <= offset);
  const isMagic = ({ text: line }: Line): boolean => MAGIC.test(line);
  const first = lines.slice(0, at + 1).findLastIndex((line) => !isMagic(line)) + 1;
  const rest = lines.slice(first);
  const count = rest.findIndex((line) => !isMagic(line));
  const [opening] = rest;
  const last = lines[first + (count < 0 ? rest.length : count) - 1];
  const [head = '', percent] = OPENING.exec(opening?.text ?? '') ?? [];
  if (opening === undefined || last === undefined || percent === undefined) return undefined;
  const hasSql = percent === '%' && !isBlank(opening.text.slice(head.length));
  const marksOf = (line: string): number => MAGIC.exec(line)?.[0].length ?? 0;
  return {
    start: hasSql ? opening.start + head.length : opening.end,
    end: last.end,
    prefix: `${mark} MAGIC `,
    marksOf,
  };
}

function siteInCell(text: string, lines: InnerLines, { start, end }: Span): Site {
  const cell = innerCode(text, lines);
  const selection = { start: cell.toCode(start), end: cell.toCode(end) };
  const site = readSql({ text: cell.text, languageId: 'sql', fileName: '' })(selection);
  const write = (request: WriteRequest): Written => {
    const { edits, warnings } = site.write({ ...request, text: cell.text, selection });
    return { edits: edits.map(cell.toFile), warnings };
  };
  return { ...site, write };
}

/** @returns the reader of a file, or one that also knows the SQL cells if the file is a notebook */
export function withSqlCells({ text }: SourceDocument, read: Reader): Reader {
  const mark = NOTEBOOK.exec(text)?.[1];
  if (mark === undefined) return read;
  return (selection) => {
    const cell = cellAt(text, selection.start, mark);
    return cell ? siteInCell(text, cell, selection) : read(selection);
  };
}
