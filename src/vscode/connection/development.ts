/** A connection from environment variables, for development and tests. */
import * as vscode from 'vscode';

export interface DevelopmentConnection {
  chatApiUrl?: string;
  apiKey?: string;
}

/** Reads the environment variables; empty in production mode, so that they have no effect there. */
export function developmentConnection(mode: vscode.ExtensionMode): DevelopmentConnection {
  if (mode === vscode.ExtensionMode.Production) return {};
  const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
  return { chatApiUrl: environment?.ANALYTICS_CHAT_API_URL, apiKey: environment?.ANALYTICS_CHAT_API_KEY };
}
