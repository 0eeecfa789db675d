/**
 * The least that an extension can do between a question and its answer: a page with a field, and a host that asks the
 * service and hands the first words back. What it takes is the editor's own.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const bareCommand = 'Bench: Open the Bare Page';
export const bareField = 'Bare message';

const manifest = {
  ...{ publisher: 'bench', name: 'bare', version: '1.0.0', description: 'A peer.', license: 'MIT' },
  ...{ engines: { vscode: '^1.104.0' }, main: './extension.js', activationEvents: [] },
  contributes: { commands: [{ command: 'benchBare.open', title: bareCommand }] },
};

const page = `<!doctype html>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-bare'">
<input aria-label="${bareField}"><p class="bare"><b></b> <i></i></p>
<script nonce="bare">
  const vscode = acquireVsCodeApi();
  const input = document.querySelector('input');
  const [question, words] = document.querySelectorAll('b, i');
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') vscode.postMessage(input.value);
  });
  addEventListener('message', ({ data }) => {
    question.textContent = data.question;
    words.textContent = data.words;
  });
</script>`;

const code = (address: string): string => `const vscode = require('vscode');
exports.activate = ({ subscriptions }) => {
  subscriptions.push(
    vscode.commands.registerCommand('benchBare.open', () => {
      const { webview } = vscode.window.createWebviewPanel('bare', 'Bare', vscode.ViewColumn.One, { enableScripts: true });
      webview.onDidReceiveMessage(async (question) => {
        const response = await fetch('${address}', { method: 'POST', body: JSON.stringify({ messageId: question }) });
        const decoder = new TextDecoder();
        let rest = '';
        for await (const bytes of response.body) {
          const lines = (rest + decoder.decode(bytes, { stream: true })).split('\\n');
          rest = lines.pop();
          for (const text of lines) {
            const line = JSON.parse(text);
            if (line.isDelta) webview.postMessage({ question, words: line.content });
          }
        }
      });
      webview.html = ${JSON.stringify(page)};
    }),
  );
};
`;

/** @param address that is asked, without a key */
export function writeBareExtension(folder: string, address: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'README.md'), 'A peer.');
  writeFileSync(join(folder, 'extension.js'), code(address));
}
