/**
 * `planInsertion` for synchronous callers: includes all grammars. The extension uses `planner.ts` and loads only the
 * grammar that the file needs.
 */
import { parser as javascript } from '@lezer/javascript';
import { GFM, parser as markdown } from '@lezer/markdown';
import { parser as python } from '@lezer/python';
import { NOT_IN_MDX, useParser } from './code/grammars.ts';

for (const language of ['javascript', 'typescript', 'typescriptreact']) useParser(language, javascript);
useParser('markdown', markdown.configure(GFM));
useParser('mdx', markdown.configure([GFM, { remove: NOT_IN_MDX }]));
useParser('python', python);

export { applyEdits, planInsertion } from './planner.ts';
