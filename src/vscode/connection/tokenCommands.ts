/** The service tokens of connections with a token command, kept in memory. */
import * as vscode from 'vscode';
import { ChatError } from '../../api/errors.ts';
import type { Credential } from '../../api/request.ts';
import { runProgram, TokenCommand, type TokenProgram, type Ran } from '../../chat/connection/tokenCommand.ts';
import { t } from '../../shared/text/l10n.ts';
import { hasNode } from '../host/settings.ts';

const refused = (message: string): ChatError => new ChatError('auth', message, { code: 'TOKEN_COMMAND' });

async function run(command: TokenProgram): Promise<Ran> {
  if (!vscode.workspace.isTrusted)
    throw refused(t('The token command doesn’t run in Restricted Mode. Trust the folder to ask.'));
  if (!hasNode()) throw refused(t('The token command doesn’t run in the browser. Use VS Code on the desktop.'));
  const { homedir } = await import('node:os');
  // Not in the workspace, whose programs are not the user's.
  return runProgram(command, homedir());
}

export class TokenCommands {
  readonly #known = new Map<string, TokenCommand>();
  readonly #onToken: (token: string) => void;

  /** @param onToken receives each new token, so that it is redacted from all output */
  constructor(onToken: (token: string) => void) {
    this.#onToken = onToken;
  }

  /** @returns a credential that runs the command when a token is needed; the token is sent to this origin only */
  at(origin: string, command: TokenProgram): Credential {
    const key = JSON.stringify([origin, ...command]);
    const known = this.#known.get(key) ?? new TokenCommand(() => run(command), this.#onToken);
    this.#known.set(key, known);
    return known.credential;
  }
}
