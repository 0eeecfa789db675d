/** What stands inside `{…}` and `[…]` of YAML. */
import type { YamlEntry } from '../../shared/text/yamlScan.ts';

/** A plain or quoted value, its quotes included. */
export interface WrittenValue {
  start: number;
  end: number;
  style: 'plain' | 'single' | 'double';
}

/** Marks, quoted and plain texts inside `{…}` and `[…]`. */
const FLOW_TOKEN =
  /"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*'|[[\]{},]|:(?=[\s,[\]{}]|$)|(?<=["'])\s*:|#(?<=\s#)[^\n]*|[^\s"'[\]{},](?:[^[\]{},:\n#]|:(?=[^\s,[\]{}])|(?<=\S)#)*/g;

/** @returns the text of a collection around the offset; none for keys, aliases and the like */
export function valueInFlow(text: string, entry: YamlEntry, offset: number): WrittenValue | undefined {
  const open: string[] = [];
  let mark = '';
  for (const { index, 0: token } of text.slice(entry.valueStart, entry.valueEnd).matchAll(FLOW_TOKEN)) {
    const written = token.trim();
    if (/^[[{]/.test(written)) open.push(written);
    else if (/^[\]}]/.test(written)) open.pop();
    const isText = !/^[[\]{},:#*&!]/.test(written);
    const isKey = mark !== ':' && open.at(-1) === '{';
    if (!isText) mark = written;
    const start = entry.valueStart + index;
    const end = start + written.length;
    const style = written.startsWith('"') ? 'double' : written.startsWith("'") ? 'single' : 'plain';
    const edge = style === 'plain' ? 0 : 1;
    if (!isText || offset < start + edge || offset > end - edge) continue;
    return isKey || /^\s*:(?=\s)/.test(text.slice(end)) ? undefined : { start, end, style };
  }
  return undefined;
}
