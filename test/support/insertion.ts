/** `planInsertion` for synchronous callers: loads all grammars. The extension loads only that of the file. */
import { loadGrammar } from '../../src/insert/planner.ts';

const LANGUAGES = 'javascript typescript typescriptreact python go java php rust xml html vue astro markdown';
for (const language of LANGUAGES.split(' ')) await loadGrammar(language, '');

export { applyEdits, planInsertion } from '../../src/insert/planner.ts';
