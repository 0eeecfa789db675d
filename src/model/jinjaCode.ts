/** Reads the Jinja of a YAML file: what its tags define and use, and the text without them. */
import { jinjaTags, unclosedTag, type Span } from '../shared/text/jinja.ts';
import { lineAt, oneLine } from '../shared/text/lines.ts';
import type { CodeDefinition, CodeImport, CodePart, UsedName } from './modelNode.ts';
import { maskTags } from './maskTags.ts';

export interface JinjaCode {
  /** Text of the same length that YAML can parse. */
  masked: string;
  tags: readonly CodePart[];
  definitions: readonly CodeDefinition[];
  imports: readonly CodeImport[];
  names: readonly UsedName[];
  /** Offset of a tag without an end. */
  error?: number;
}

/** Whether a tag may generate any text, such as the members of a cube. */
export const isOutput = ({ text }: CodePart): boolean => /^\{\{|^\{%[-+]?\s*(?:include|call)\b/.test(text);

/** Matches the start of a comment of YAML, in which the text of an expression has no meaning. */
const COMMENTED = /^\s*#/;
const KEYWORD = /^\{%[-+]?\s*(\w+)/;
const SET = /^\{%[-+]?\s*(?:macro|set)\s+(\w+(?:\s*,\s*\w+)*)/;
const IMPORT = /^\{%[-+]?\s*(?:import|include|extends)\s*["']([^"']+)["'](?:\s+as\s+(\w+))?/;
const FROM = /^\{%[-+]?\s*from\s*["']([^"']+)["']\s*import\s+([\w\s,]+)/;
/** Matches a name in the list of an import, which `with context` may follow. */
const IMPORTED = /^(\w+)(?:\s+as\s+(\w+))?/;
const STRING = /'[^'\\]*(?:\\[^][^'\\]*)*\\?'?|"[^"\\]*(?:\\[^][^"\\]*)*\\?"?/g;
const NAME = /[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)?/g;

export function readJinja(text: string): JinjaCode {
  const spans = jinjaTags(text).filter(({ start }) => text[start + 1] !== '#');
  const tags: CodePart[] = [];
  const definitions: CodeDefinition[] = [];
  const imports: CodeImport[] = [];
  const names: UsedName[] = [];
  for (const { start, end } of spans) {
    const tag = text.slice(start, end);
    const found = importsOf(tag);
    imports.push(...found);
    // A file that is included as a whole is used where it is included.
    if (found.length > 0)
      names.push(...found.filter(({ name, path }) => name === path).map(({ name }) => ({ name, start })));
    else
      for (const [name] of tag.replace(STRING, '""').matchAll(NAME))
        names.push({ name: name.replace(/\s/g, ''), start });
  }
  const parts = blocksIn(text, spans);
  for (const part of parts) {
    const defined = SET.exec(part.text)?.[1];
    // An import changes only what uses its names.
    const isImport = importsOf(part.text).some(({ name, path }) => name !== path);
    const isCommented =
      part.text.startsWith('{{') && COMMENTED.test(text.slice(lineAt(text, part.start).start, part.start));
    if (isCommented) continue;
    if (defined === undefined && !isImport) tags.push(part);
    else if (defined !== undefined)
      definitions.push(...defined.split(',').map((name) => ({ ...part, name: name.trim() })));
  }
  const error = unclosedTag(text);
  const masked = maskTags(text, parts);
  return { masked, tags, definitions, imports, names, ...(error === undefined ? {} : { error }) };
}

/** @returns the tags; those of a block whose text is not output where it stands, such as a macro, are one part */
function blocksIn(text: string, spans: readonly Span[]): CodePart[] {
  const parts: CodePart[] = [];
  const unclosed = new Set<string>();
  for (let at = 0; at < spans.length; at += 1) {
    const { start } = spans[at]!;
    const kind = blockKind(text, spans[at]!);
    const last = kind === undefined || unclosed.has(kind) ? at : endOfBlock(text, spans, at, kind);
    if (kind !== undefined && last === at) unclosed.add(kind);
    const { end } = spans[last]!;
    parts.push({ start, end, text: oneLine(text.slice(start, end)) });
    at = last;
  }
  return parts;
}

function blockKind(text: string, { start, end }: Span): string | undefined {
  const tag = text.slice(start, end);
  const keyword = KEYWORD.exec(tag)?.[1];
  const isBlock = keyword === 'macro' || keyword === 'call' || (keyword === 'set' && !tag.includes('='));
  return isBlock ? keyword : undefined;
}

/** @returns the index of the end tag, or of the first tag if there is none */
function endOfBlock(text: string, spans: readonly Span[], from: number, kind: string): number {
  let depth = 0;
  for (let at = from; at < spans.length; at += 1) {
    const { start, end } = spans[at]!;
    if (blockKind(text, spans[at]!) === kind) depth += 1;
    else if (KEYWORD.exec(text.slice(start, end))?.[1] === `end${kind}`) depth -= 1;
    if (depth === 0) return at;
  }
  return from;
}

/** A file that is included as a whole has its path as its name. */
function importsOf(tag: string): CodeImport[] {
  const [, path, name] = IMPORT.exec(tag) ?? [];
  if (path !== undefined) return [{ name: name ?? path, path }];
  const [, from, list = ''] = FROM.exec(tag) ?? [];
  if (from === undefined) return [];
  return list.split(',').flatMap((item): CodeImport[] => {
    const [, imported, own = imported] = IMPORTED.exec(item.trim()) ?? [];
    return imported ? [{ name: own!, path: from, imported }] : [];
  });
}
