/** Plans a hint at the definition of a data model member: its `description`, or `ai_context` in its `meta`. */
import { loadedParser } from '../code/grammars.ts';
import { unifiedText, toLineEnds } from '../indent.ts';
import type { TextEdit } from '../types.ts';
import type { HintKey, HintRequest } from './hint.ts';
import { writeJsHint } from './jsHint.ts';
import { writeYamlHint } from './yamlHint.ts';

/** Keys from the member's definition to each hint. */
const PATHS: Readonly<Record<HintKey, readonly string[]>> = {
  description: ['description'],
  ai_context: ['meta', 'ai_context'],
};

/** @returns the edits in order; undefined if the definition can't be changed without affecting other text */
export function planHint({ key, ...request }: HintRequest): TextEdit[] | undefined {
  const { text, toText, toFile } = unifiedText(request.document.text);
  const document = { ...request.document, text };
  const at = toText({ start: request.at, end: request.at }).start;
  const writing = { ...request, document, at, hint: request.hint.replace(/\s+/g, ' ').trim(), path: PATHS[key] };
  const isYaml = /\.ya?ml(?:\.jinja2?|\.j2)?$/i.test(document.fileName);
  const parser = isYaml ? undefined : loadedParser(document);
  const edits = isYaml ? writeYamlHint(writing) : parser && writeJsHint(parser, writing);
  return edits?.map((edit) => ({ ...toFile(edit), text: toLineEnds(edit.text, request.options.eol) }));
}
