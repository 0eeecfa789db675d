/** Parses the smallest part of a YAML file around a selection that can be parsed alone. */
import { isBlank, linesOf } from '../../shared/text/lines.ts';
import { maskJinja } from '../../shared/text/jinja.ts';
import type { Span } from '../types.ts';
import { parseYaml, type YamlTree } from './yamlTree.ts';

/** A parsed part of a file, with the offsets of the file. */
export interface YamlReading extends YamlTree {
  /** The file up to the end of the part; lines before it are blanked by a comment. */
  text: string;
  /** Masks Jinja before parsing. */
  mask: Mask;
  /** Whether the text can be compared before and after an insertion. */
  isSound: boolean;
}

type Mask = (text: string) => string;
const noMask: Mask = (text) => text;

/** Matches an expression on a line of its own, possibly behind a dash, as `maskJinja` leaves it. */
const LONE = /^([ \t]*)(- +)?(_{4,})(?=[ \t]*$)/gm;

/** Masks expressions that render to whole entries: as a comment, and as a key if other keys are below the dash. */
const maskEntries: Mask = (text) =>
  maskJinja(text).replace(LONE, (_, indent: string, dash: string | undefined, mask: string) =>
    dash === undefined ? `${indent}#${mask.slice(1)}` : `${indent}${dash}_: ${mask.slice(3)}`,
  );

/** Limits in characters: for parsing without delaying the edit, and for parsing twice. */
const FEW = 2_000;
const MANY = 500_000;

interface Line extends Span {
  /** Columns of indentation, plus half a column for a dash; infinite for lines that end no block. */
  depth: number;
}

function linesWithDepth(text: string): Line[] {
  return linesOf(text).map(({ start, text: line }, index, all) => {
    const indent = line.search(/\S/);
    const isDash = line.charAt(indent) === '-' && isBlank(line.charAt(indent + 1));
    const depth = indent < 0 || '#}]'.includes(line.charAt(indent)) ? Infinity : isDash ? indent + 0.5 : indent;
    return { start, end: all[index + 1]?.start ?? text.length, depth };
  });
}

/** From the lines before or after a block, nearest first: those of the blocks around it, and the keys beside each of them. */
function outline(lines: readonly Line[], depth: number): Line[] {
  let least = depth;
  return lines.filter((line) => {
    const isBeside = line.depth === least && Number.isInteger(least);
    if (line.depth >= least) return isBeside;
    least = line.depth;
    return true;
  });
}

/**
 * Excerpts to parse, one for each block around a selection: its lines, with the first lines of the blocks around it and
 * of the keys beside those, which a new key must differ from.
 */
function blocksAround(lines: readonly Line[], { start, end }: Span): Span[][] {
  const first = lines.findLastIndex((line) => line.start <= start);
  const above = lines.slice(0, Math.max(first, 1)).findLastIndex(({ depth }) => depth < Infinity);
  let below = lines.findLastIndex((line) => line.start <= end) + 1;
  while (lines[below]?.depth === Infinity) below++;
  const chain: number[] = [];
  let least = Infinity;
  for (let at = above; at >= 0 && least > 0; at--) {
    const { depth } = lines[at] ?? { depth: Infinity };
    if (depth < least) chain.unshift(at);
    least = Math.min(least, depth);
  }
  return chain.map((at) => {
    const opening = lines[at] ?? { start: 0, depth: 0 };
    // Include the line below the selection.
    const next = lines.findIndex((line, index) => index > below && line.depth <= opening.depth);
    const stop = next < 0 ? lines.length : next;
    const block = { start: opening.start, end: lines[stop]?.start ?? lines.at(-1)?.end ?? 0 };
    const before = outline(lines.slice(0, at).toReversed(), opening.depth).toReversed();
    return [...before, block, ...outline(lines.slice(stop), opening.depth)];
  });
}

const sizeOf = (ranges: readonly Span[]): number => ranges.reduce((sum, { start, end }) => sum + end - start, 0);

/** The ranges of the file with their offsets: one comment takes the place of the text before each. */
function excerpt(file: string, ranges: readonly Span[]): string {
  let text = '';
  for (const { start, end } of ranges) {
    const gap = start - text.length - 1;
    text += (gap < 0 ? '' : `${'#'.repeat(gap)}\n`) + file.slice(start, end);
  }
  return text;
}

/** @returns a function that parses the text around a selection, once for several selections in one block */
export function yamlReader(file: string, isDataModel: boolean): (selection: Span) => YamlReading {
  const masked = maskJinja(file);
  const lines = linesWithDepth(masked);
  const whole = [{ start: 0, end: file.length }];
  const hasMask = masked !== file;
  const masks = [...(isDataModel && hasMask ? [] : [noMask]), ...(hasMask ? [maskJinja, maskEntries] : [])];
  let last: { key: string; mask: Mask; reading: YamlReading } | undefined;
  const read = (ranges: readonly Span[], mask: Mask): YamlReading => {
    const key = JSON.stringify(ranges);
    if (last?.key === key && last.mask === mask) return last.reading;
    const text = excerpt(file, ranges);
    const tree = parseYaml(mask(text));
    const reading = { ...tree, text, mask, isSound: tree.errors === 0 && sizeOf(ranges) <= MANY };
    last = { key, mask, reading };
    return reading;
  };
  return (selection) => {
    const all = [whole, ...blocksAround(lines, selection)];
    const isFew = (ranges: readonly Span[]): boolean => sizeOf(ranges) <= FEW;
    let first: YamlReading | undefined;
    for (const ranges of [...all.filter(isFew), ...all.filter((each) => !isFew(each)).toReversed()])
      for (const mask of masks) {
        if (first !== undefined && sizeOf(ranges) > MANY) continue;
        const reading = read(ranges, mask);
        if (reading.isSound) return reading;
        first ??= reading;
      }
    return first ?? read(whole, noMask);
  };
}
