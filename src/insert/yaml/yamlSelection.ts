/** The extent of a selection in YAML: part of one value, or whole keys with everything below them. */
import { isBlank, lineAt } from '../../shared/text/lines.ts';
import type { Span } from '../types.ts';
import { chainOf, contentOf, type BetweenPoint, type YamlPoint } from './yamlPoint.ts';
import type { YamlReading } from './yamlReader.ts';

/** @returns the point of a key that replaces the selected ones, if the selection covers whole keys */
export function overKeys({ text, entries }: YamlReading, { start, end }: Span): BetweenPoint | undefined {
  const line = lineAt(text, start);
  const first = entries.find((entry) => entry.start >= line.start);
  const last = entries.findLast((entry) => entry.start < end);
  if (first?.key === undefined || last === undefined || start > first.start || end <= first.start) return undefined;
  const { column, siblings } = first;
  const isWhole = [...chainOf(last)].some((entry) => siblings.includes(entry)) && last.end <= end;
  const next = entries.find((entry) => entry.start >= end);
  if (!isWhole || first.start > line.end || lineAt(text, end).end !== end || (next && next.column > column))
    return undefined;
  const others = siblings.filter((entry) => entry.start < first.start || entry.start >= end);
  const range = { start: line.start, end };
  return { kind: 'yamlBetweenKeys', key: 'sql', column, range, side: 'blank', siblings: others };
}

/** @returns whether the value at the point contains the whole selection */
export function holds(point: YamlPoint, text: string, { start, end }: Span): boolean {
  if (point.kind === 'yamlFlow') return true;
  const { range } = point;
  if (point.kind !== 'yamlBlock') return start >= range.start && end <= range.end;
  const headerEnd = lineAt(text, range.start).end;
  const last = contentOf(text, range)?.end ?? headerEnd;
  return start >= range.start && end <= last + 1 && (start > headerEnd || isBlank(text.slice(end, last)));
}
