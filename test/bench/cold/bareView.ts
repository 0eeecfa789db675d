/** A minimal view: a page with one text field and no code of its own; and an extension that tells when VS Code started. */
import type { Peer } from '../support/peer.ts';

/** Text of a status bar item that appears once the extensions have started. */
export const startedText = 'Bench: started';

export const startNotice: Peer = {
  name: 'started',
  contributes: {},
  activationEvents: ['onStartupFinished'],
  code: `const vscode = require('vscode');
exports.activate = ({ subscriptions }) => {
  const item = vscode.window.createStatusBarItem();
  item.text = '${startedText}';
  item.show();
  subscriptions.push(item);
};
`,
};

/** Activated when its view is opened, like ours. */
export const bareView: Peer = {
  name: 'bare',
  contributes: {
    viewsContainers: { activitybar: [{ id: 'bench', title: 'Bare', icon: '$(comment)' }] },
    views: { bench: [{ id: 'bench.bare', name: 'Bare', type: 'webview' }] },
  },
  code: `const vscode = require('vscode');
exports.activate = ({ subscriptions }) => {
  const provider = {
    resolveWebviewView({ webview }) {
      webview.options = { enableScripts: true };
      webview.html = '<!doctype html><textarea aria-label="Message"></textarea>';
    },
  };
  subscriptions.push(vscode.window.registerWebviewViewProvider('bench.bare', provider));
};
`,
};
