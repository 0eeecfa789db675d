/** Converts VS Code cancellation tokens to abort signals. */
import type * as vscode from 'vscode';

/** Runs `work` with a signal that aborts when the token is canceled. */
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
