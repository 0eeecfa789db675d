import { runMocha } from '../vscode/bdd.ts';

/** What VS Code calls in the extension host; the test modules are bundled before this one and have defined their tests. */
export const run = runMocha;
