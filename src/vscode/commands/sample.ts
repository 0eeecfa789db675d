/** Plays a recorded stream as a conversation that needs no account. */
import * as vscode from 'vscode';
import { decodeLine } from '../../api/decode.ts';
import { ChatError } from '../../api/errors.ts';
import { NdjsonParser } from '../../api/ndjson.ts';
import type { StreamLine } from '../../shared/wire.ts';
import { emptyThread } from '../../shared/thread.ts';
import type { Command } from '../app.ts';

/** Milliseconds between two lines: about as an agent writes. */
const PACE = 20;

/** @returns the lines of a recording; what is not a line of the contract is left out */
function linesOf(bytes: Uint8Array): StreamLine[] {
  const parser = new NdjsonParser();
  const decoded = [...parser.push(bytes), ...parser.flush()].map(decodeLine);
  return decoded.filter((line): line is StreamLine => !(line instanceof ChatError));
}

export const openSample: Command = async (app) => {
  const file = vscode.Uri.joinPath(app.context.extensionUri, 'media', 'sample.ndjson');
  const lines = linesOf(await vscode.workspace.fs.readFile(file));
  const session = app.sessions.add(emptyThread(`sample-${Date.now()}`));
  app.keeper.markReadOnly(session.thread.id);
  await app.views.focus(session);
  session.dispatch([{ type: 'loading' }]);
  for (const line of lines) {
    session.dispatch([{ type: 'line', line, time: Date.now() }]);
    await new Promise((resolve) => setTimeout(resolve, PACE));
  }
  session.dispatch([{ type: 'finished' }]);
};
