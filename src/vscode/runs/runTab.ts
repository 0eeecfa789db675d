/** An editor tab with a page that shows a run of questions. It is not restored after a restart. */
import * as vscode from 'vscode';
import { assertNever } from '../../shared/protocol/chat.ts';
import { isFromRunPage, type FromRunPage } from '../../shared/protocol/runPage.ts';
import { showPage, tabIcon, type PageName } from '../host/html.ts';
import type { Services } from '../services.ts';

export type RunTabServices = Services<'context' | 'log' | 'guarded'>;

interface Run {
  start(): unknown;
  cancel(): void;
}

interface RunTabOptions<Message, R extends Run> {
  viewType: string;
  title: string;
  entry: PageName;
  /** @returns the complete state */
  state(): Message;
  run: R;
  /** Opens the entry of the page with this index. */
  open(index: number): unknown;
}

/**
 * Opens the tab; closing it cancels the run.
 * @param create creates the run, which posts to the page; messages are dropped while the page has not loaded
 */
export function openRunTab<Message, R extends Run>(
  { context, log, guarded }: RunTabServices,
  create: (post: (message: Message) => void) => RunTabOptions<Message, R>,
): R {
  /** Whether the page is ready; a hidden page is discarded and requests the complete state when it is shown again. */
  let isLoaded = false;
  const options = create((message) => {
    if (isLoaded) void panel.webview.postMessage(message);
  });
  const { viewType, title, entry, run } = options;
  const panel = vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active);
  const { webview } = panel;
  panel.iconPath = tabIcon(context.extensionUri);
  const act = (message: FromRunPage): unknown => {
    switch (message.type) {
      case 'ready':
        isLoaded = true;
        return webview.postMessage(options.state());
      case 'cancel':
        return run.cancel();
      case 'askAgain':
        return run.start();
      case 'open':
        return options.open(message.index);
      case 'problem':
        return log.warn(`A page reported an error: ${message.text}`);
      default:
        return assertNever(message);
    }
  };
  const subscriptions = [
    webview.onDidReceiveMessage((message: unknown) => {
      if (isFromRunPage(message)) void guarded(() => act(message));
      else log.warn('A page sent an invalid message.');
    }),
    panel.onDidChangeViewState(() => (isLoaded &&= panel.visible)),
  ];
  panel.onDidDispose(() => {
    isLoaded = false;
    run.cancel();
    for (const subscription of subscriptions) subscription.dispose();
  });
  showPage(webview, context.extensionUri, entry);
  return run;
}
