/**
 * A minimal extension: a page with a text field, and a host that asks the service and returns the first words. Its time
 * is the overhead of VS Code.
 */
import { readingLines, type Peer } from '../support/peer.ts';

export const bareCommand = 'Bench: Open the Bare Page';
export const bareField = 'Bare message';

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
        ${readingLines(address, '{ messageId: question }', 'if (line.isDelta) webview.postMessage({ question, words: line.content });')}
      });
      webview.html = ${JSON.stringify(page)};
    }),
  );
};
`;

/** @param address the URL to request, without a key */
export const bareExtension = (address: string): Peer => ({
  name: 'bare',
  contributes: { commands: [{ command: 'benchBare.open', title: bareCommand }] },
  code: code(address),
});
