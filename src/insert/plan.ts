/**
 * `planInsertion` for synchronous callers: includes all grammars. The extension uses `planner.ts` and loads only the
 * grammar that the file needs.
 */
import { parser as go } from '@lezer/go';
import { parser as html } from '@lezer/html';
import { parser as java } from '@lezer/java';
import { parser as javascript } from '@lezer/javascript';
import { GFM, parser as markdown } from '@lezer/markdown';
import { parser as php } from '@lezer/php';
import { parser as python } from '@lezer/python';
import { parser as rust } from '@lezer/rust';
import { parser as xml } from '@lezer/xml';
import { NOT_IN_MDX, useParser } from './code/grammars.ts';

for (const language of ['javascript', 'typescript', 'typescriptreact']) useParser(language, javascript);
useParser('markdown', markdown.configure(GFM));
useParser('mdx', markdown.configure([GFM, { remove: NOT_IN_MDX }]));
for (const language of ['html', 'vue', 'astro']) useParser(language, html);
for (const [language, parser] of Object.entries({ go, java, php, python, rust, xml })) useParser(language, parser);

export { applyEdits, planInsertion } from './planner.ts';
