import { runMocha } from '../vscode/integration/bdd.ts';

/**
 * Entry point that VS Code calls in the extension host; the test modules are bundled before it and have defined their
 * tests.
 */
export const run = runMocha;
