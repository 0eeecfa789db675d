import type * as vscode from 'vscode';

/** Does work that ends early when VS Code says so. */
export async function withSignal<T>(
  token: vscode.CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const canceled = token.onCancellationRequested(() => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    canceled.dispose();
  }
}
