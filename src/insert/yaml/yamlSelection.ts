/** What a selection in YAML covers: a part of one value, or whole keys with all that is below them. */
import { isBlank, lineAt } from '../../shared/text/lines.ts';
import type { Span } from '../types.ts';
import type { YamlPlace } from './yamlPlaces.ts';
import { scanYaml } from '../../shared/text/yamlScan.ts';

/** @returns the span without its last line end when it covers whole keys with all that is below them */
export function wholeKeys(text: string, selection: Span): Span | undefined {
  const first = lineAt(text, selection.start);
  const entry = scanYaml(first.text)[0]?.entry;
  if (entry?.key === undefined || entry.dashes.length > 0) return undefined;
  const { column } = entry;
  const { end } = selection;
  const coversLines =
    selection.start <= first.start + column && end > first.start + column && lineAt(text, end).end === end;
  if (!coversLines) return undefined;
  const depths = (lines: string): number[] =>
    [...lines.matchAll(/^( *)(-? *)\S/gm)].map(
      ([, white = '', dash = '']) => white.length + (dash.startsWith('-') ? 0.5 : 0),
    );
  const isWhole = depths(text.slice(first.start, end)).every((depth) => depth >= column);
  const next = depths(text.slice(end))[0] ?? 0;
  return isWhole && next <= column ? { start: first.start, end } : undefined;
}

/** @returns whether the value at the place holds all of the selection */
export function holds(place: YamlPlace, text: string, { start, end }: Span): boolean {
  switch (place.kind) {
    case 'yamlScalar':
      return start >= place.value.start && end <= place.value.end;
    case 'yamlEmptyValue':
      return start >= place.gap.start && end <= place.gap.end;
    case 'yamlBlock': {
      const last = place.content?.end ?? place.header.lineEnd;
      const isBelowHeader = start > place.header.lineEnd;
      return start >= place.header.start && end <= last + 1 && (isBelowHeader || isBlank(text.slice(end, last)));
    }
    case 'yamlBetweenKeys':
      return start >= place.at.start && end <= place.at.end;
    case 'yamlFlow':
      return true;
  }
}
