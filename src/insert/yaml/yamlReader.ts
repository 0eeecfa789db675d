/** Parses the smallest part of a YAML file around a selection that can be parsed alone. */
import { linesOf } from '../../shared/text/lines.ts';
import { maskJinja } from '../sql/jinja.ts';
import type { Span } from '../types.ts';
import { parseYaml, type YamlTree } from './yamlTree.ts';

/** A parsed part of a file; its offsets are relative to its own text. */
export interface YamlReading extends YamlTree {
  /** Ranges of the file that form the text: the first lines of outer blocks, and one complete block. */
  ranges: readonly Span[];
  text: string;
  /** Whether Jinja is masked before parsing. */
  isMasked: boolean;
  /** Whether the text can be compared before and after an insertion. */
  isSound: boolean;
}

/** Maximum number of characters to parse without delaying the edit, and maximum to parse twice. */
const FEW = 10_000;
const MANY = 500_000;

interface Line extends Span {
  /** Columns of indentation, plus half a column for a dash; infinite for lines that end no block. */
  depth: number;
}

function linesWithDepth(text: string): Line[] {
  return linesOf(text).map(({ start, text: line }, index, all) => {
    const indent = line.search(/\S/);
    const isDash = /^-(?:\s|$)/.test(line.slice(indent, indent + 2));
    const depth = indent < 0 || '#}]'.includes(line.charAt(indent)) ? Infinity : isDash ? indent + 0.5 : indent;
    return { start, end: all[index + 1]?.start ?? text.length, depth };
  });
}

/**
 * For each block around a selection, outermost first: the first lines of the blocks around it, and all of its lines.
 */
function blocksAround(lines: readonly Line[], { start, end }: Span): Span[][] {
  const first = lines.findLastIndex((line) => line.start <= start);
  const above = lines.slice(0, Math.max(first, 1)).findLastIndex(({ depth }) => depth < Infinity);
  let below = lines.findLastIndex((line) => line.start <= end) + 1;
  while (lines[below]?.depth === Infinity) below++;
  const chain: Line[] = [];
  for (let at = above; at >= 0; at--) {
    const line = lines[at];
    if (line !== undefined && line.depth < (chain[0]?.depth ?? Infinity)) chain.unshift(line);
    if (line?.depth === 0) break;
  }
  return chain.map((opening, index) => {
    // Include the line below the selection.
    const bottom = lines.find((line, at) => at > below && line.depth <= opening.depth);
    const isEnd = (lines[below]?.depth ?? 0) <= opening.depth;
    const stop = isEnd ? lines[below + 1]?.start : bottom?.start;
    return [...chain.slice(0, index), { start: opening.start, end: stop ?? lines.at(-1)?.end ?? 0 }];
  });
}

const sizeOf = (ranges: readonly Span[]): number => ranges.reduce((sum, { start, end }) => sum + end - start, 0);

function read(file: string, ranges: readonly Span[], isMasked: boolean): YamlReading {
  const text = ranges.map(({ start, end }) => file.slice(start, end)).join('');
  const tree = parseYaml(isMasked ? maskJinja(text) : text);
  return { ...tree, ranges, text, isMasked, isSound: tree.errors === 0 && text.length <= MANY };
}

/** @returns a function that parses the text around a selection, once for several selections in one block */
export function yamlReader(text: string, isDataModel: boolean): (selection: Span) => YamlReading {
  const masked = maskJinja(text);
  const lines = linesWithDepth(masked);
  const whole = [{ start: 0, end: text.length }];
  // The lines of a document that consists of one value need no indentation.
  const isOneValue = /^---[ \t]+[^\s#]/m.test(text);
  const masks = isDataModel ? [true] : masked === text ? [false] : [false, true];
  let last: YamlReading | undefined;
  const readOnce = (ranges: readonly Span[], isMasked: boolean): YamlReading => {
    const key = (reading: Pick<YamlReading, 'ranges' | 'isMasked'>): string =>
      `${reading.isMasked} ${reading.ranges.map(({ start, end }) => `${start}-${end}`).join()}`;
    return last !== undefined && key(last) === key({ ranges, isMasked }) ? last : read(text, ranges, isMasked);
  };
  return (selection) => {
    const all = isOneValue ? [whole] : [whole, ...blocksAround(lines, selection)];
    const few = all.filter((ranges) => sizeOf(ranges) <= FEW);
    let first: YamlReading | undefined;
    for (const ranges of [...few, ...all.filter((each) => !few.includes(each)).toReversed()])
      for (const isMasked of masks) {
        if (first !== undefined && sizeOf(ranges) > MANY) continue;
        const reading = readOnce(ranges, isMasked);
        first ??= reading;
        if (reading.isSound) return (last = reading);
      }
    return (last = first ?? read(text, whole, isDataModel));
  };
}

/** @returns the offsets of a selection, relative to the parsed text */
export function toReading({ ranges, text }: YamlReading, { start, end }: Span): Span {
  const last = ranges.at(-1);
  const shift = last === undefined ? 0 : text.length - last.end;
  return { start: start + shift, end: end + shift };
}

/** @returns the offset in the file */
export function toFile({ ranges }: YamlReading, offset: number): number {
  let at = offset;
  for (const { start, end } of ranges.slice(0, -1)) {
    if (at < end - start) return start + at;
    at -= end - start;
  }
  return (ranges.at(-1)?.start ?? 0) + at;
}
