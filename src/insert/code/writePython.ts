/** Writes SQL into Python: as a triple-quoted literal, or inside an existing one. */
import { tripled } from '../literals/literalForms.ts';
import { writeInside } from '../literals/writeInside.ts';
import { innerCode, type InnerLines } from '../innerCode.ts';
import { readSql } from '../sql/writeSql.ts';
import { unsupported, type Reader, type Site, type WriteRequest, type Written } from '../writing.ts';
import type { SourceDocument, Span } from '../types.ts';
import { firstFitting, verifier, verifyWith } from '../verify.ts';
import { isBlank, leadingWhite, lineAt, linesOf, type Line } from '../../shared/text/lines.ts';
import { onEmptyLine, indentUnit, unsupportedWrapper, writeCode, type Wrapper } from './wrapper.ts';
import { loadedParser, type ProgramParser } from './grammars.ts';
import { codeLineOf, decodeProgram, formInPython, literalInTree } from './treeLiteral.ts';
import { parse } from './verifyCode.ts';
import { takesLiteral } from './verifyPython.ts';

const ITEMS = ['', 'sql=', '"sql": '];

/** Wrappers for a value or item in brackets, with the separators before and after it. */
function wrapItems(request: WriteRequest): Wrapper[] {
  const { text, selection } = request;
  const { start, end } = selection;
  const space = text.charAt(start - 1) === ',' ? ' ' : '';
  const comma = /\s/.test(text.charAt(end)) ? ',' : ', ';
  const commaAt = text.slice(0, start).trimEnd().length;
  const inLine = ITEMS.flatMap((item) => ['', comma].map((close) => ({ open: space + item, close })));
  const isOwnLine = isBlank(text.slice(lineAt(text, start).start, start));
  const below = isOwnLine ? ITEMS.map((open) => ({ open, close: '', commaAt })) : [];
  return [...inLine, ...below].map((wrapper) => onEmptyLine(wrapper, request));
}

/** Possible indentations of a statement here: the nearest that is not deeper, then deeper ones. */
function indentsAt(text: string, lineStart: number, end: number, own: string, step: string): string[] {
  const indents = new Set([own]);
  const [, below] = /^([ \t]*)[^\s#]/m.exec(text.slice(end, end + 2000)) ?? [];
  if (below !== undefined) indents.add(below);
  let outer = Infinity;
  for (let at = lineStart; at > 0 && outer > 0;) {
    const line = lineAt(text, at - 1);
    const white = leadingWhite(line.text);
    if (white.length < outer && !isBlank(line.text)) {
      if (outer === Infinity) indents.add(white + step);
      outer = white.length;
      indents.add(white);
    }
    at = line.start;
  }
  const order = ({ length }: string): number => (length <= own.length ? own.length - length : own.length + length);
  return [...indents].sort((a, b) => order(a) - order(b));
}

/** Wrappers for a statement on its own line, below the statement before the cursor or in place of the selection. */
function* wrapStatements({ text, selection: { start, end }, options }: WriteRequest): Generator<Wrapper> {
  const line = lineAt(text, start);
  const before = text.slice(line.start, start);
  const rest = text.slice(end, lineAt(text, end).end);
  const isAtStart = isBlank(before);
  const isAtEnd = /^\s*(?:#|$)/.test(rest);
  if (!isAtStart && !isAtEnd) return;
  const own = isAtStart ? before + leadingWhite(rest) : leadingWhite(before);
  for (const indent of indentsAt(text, isAtStart ? line.start : start, end, own, indentUnit(options)))
    yield isAtStart
      ? { open: `${indent}sql = `, close: isBlank(rest) ? '' : `\n${before}`, lineStart: line.start }
      : { open: `\n${indent}sql = `, close: '' };
}

const VALUES = { mark: '#', value: (sql: string) => `"""${tripled('"').write(sql)}"""` };

function* wrappersAt(parser: ProgramParser, request: WriteRequest): Generator<Wrapper> {
  const { text, selection } = request;
  for (const wrapper of [...wrapItems(request), ...wrapStatements(request)]) {
    const accepts = (after: string): boolean => {
      const end = after.length - (text.length - selection.end) - wrapper.close.length;
      return takesLiteral(parse(parser, after), after, end, wrapper);
    };
    yield { ...wrapper, accepts };
  }
  yield unsupportedWrapper;
}

const MAGIC = /^# MAGIC ?/;

/** The lines of the SQL cell around an offset, in the source form of a Databricks notebook; undefined if there is none. */
function sqlCellAt(text: string, offset: number): InnerLines | undefined {
  if (!text.startsWith('# Databricks notebook source')) return undefined;
  const lines = linesOf(text);
  const at = lines.findLastIndex((line) => line.start <= offset);
  const isMagic = ({ text: line }: Line): boolean => MAGIC.test(line);
  const first = lines.slice(0, at + 1).findLastIndex((line) => !isMagic(line)) + 1;
  const rest = lines.slice(first);
  const count = rest.findIndex((line) => !isMagic(line));
  const [opening] = rest;
  const last = lines[first + (count < 0 ? rest.length : count) - 1];
  if (opening === undefined || last === undefined || !/^# MAGIC[ \t]+%sql\b/.test(opening.text)) return undefined;
  const marksOf = (line: string): number => MAGIC.exec(line)?.[0].length ?? 0;
  return { start: opening.end, end: last.end, prefix: '# MAGIC ', marksOf };
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

/** @returns the reader of a Python file, whose grammar must have been loaded */
export function readPython({ text }: SourceDocument): Reader {
  const parser = loadedParser({ text, languageId: 'python', fileName: '' });
  if (parser === undefined) return () => ({ kind: 'pythonCode', write: unsupported });
  const tree = parse(parser, text);
  const decode = decodeProgram(parser, formInPython);
  return (selection) => {
    const { start } = selection;
    const cell = sqlCellAt(text, start);
    if (cell) return siteInCell(text, cell, selection);
    const found = literalInTree(tree, text, start, formInPython);
    const kind = found ? (found.form.isComment ? 'pythonComment' : 'pythonString') : 'pythonCode';
    const codeLine = codeLineOf(tree, text, start);
    const write = (request: WriteRequest): Written => {
      const ways = found
        ? [writeInside(found, request)]
        : writeCode(request, VALUES, codeLine, wrappersAt(parser, request));
      return firstFitting(ways, verifier(request, verifyWith(parser), decode));
    };
    return { kind, write };
  };
}
