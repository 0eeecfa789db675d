/** Text reaches VS Code only through functions that remove links and icons from it. */
import assert from 'node:assert/strict';
import { ESLint } from 'eslint';
import { describe, it } from 'mocha';
import { repoRoot } from '../vscode/paths.ts';

describe('Text that VS Code shows', () => {
  it('reaches VS Code only through the wrappers, enforced by the linter', async () => {
    const eslint = new ESLint({ cwd: repoRoot });
    const refused = [
      "vscode.window.showErrorMessage('x');",
      'const { showQuickPick } = vscode.window;',
      "new vscode.MarkdownString('x');",
      'vscode.window.createStatusBarItem();',
    ];
    for (const code of refused) {
      const [result] = await eslint.lintText(code, { filePath: 'src/vscode/commands/example.ts' });
      assert.ok(
        result?.messages.some(({ ruleId }) => ruleId === 'no-restricted-syntax'),
        code,
      );
    }
  });
});
