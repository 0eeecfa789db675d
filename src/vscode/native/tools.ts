/** Language model tools that ask the analytics agent and search the data model. */
import * as vscode from 'vscode';
import { messageOf, textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainMarkdownString, withSignal } from '../host/notify.ts';
import { readSettings } from '../host/settings.ts';
import { askedText, askIn, type AskingServices, newSession, sessionOfChat } from '../threads/asking.ts';
import { consentText, whereText, type WhereServices } from './consent.ts';
import { membersText, turnText } from '../../shared/text/toolText.ts';
import type { Services } from '../services.ts';

export type ToolsServices = AskingServices & WhereServices & Services<'members' | 'repository'>;

const result = (text: string): vscode.LanguageModelToolResult =>
  new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);

/** Reads a string field; models don't always follow the input schema. */
export const field = (input: unknown, name: string): string => textIn(input, name)?.trim() ?? '';

interface Asked {
  question: string;
  /** Branch to ask on; empty for the current one. */
  branch?: string;
  /** Thread to continue; empty for a new one. */
  chatId?: string;
}

/**
 * Asks in a thread of the history.
 * @returns text for the model, errors included
 */
async function askAgent(
  services: ToolsServices,
  { question, branch = '', chatId = '' }: Asked,
  token: vscode.CancellationToken,
): Promise<string> {
  const session = chatId === '' ? newSession(services) : await sessionOfChat(services, chatId);
  const { id } = session.thread;
  const { branches, connections, identities, sessions } = services;
  // The user has confirmed a question to the current connection.
  if (chatId !== '' && sessions.connectionOf(session)?.name !== connections.current?.name)
    return t('This chat belongs to another connection. Switch to it, then ask again.');
  const { name, isDefault: isDefaultBranch } = branches.current;
  const asked = branch === '' ? { branch: name, isDefaultBranch } : branches.contextOn(branch);
  services.sessions.pin(id, { ...asked, identity: identities.current });
  try {
    const { turn, error, stopped } = await withSignal(token, (signal) => askIn(services, session, question, signal));
    const nothing = error || stopped ? '' : t('The agent returned no answer.');
    const { chatId: named } = session.thread;
    const where = turn && [askedText(services, turn), named && `chatId: ${named}`].filter(Boolean).join('\n');
    const answer = turn ? [turnText(turn) || nothing, where].filter(Boolean).join('\n\n') : '';
    if (error)
      return [t('The analytics agent could not answer: {0}', error.message), answer].filter(Boolean).join('\n\n');
    return stopped ? [t('The answer was stopped.'), answer].filter(Boolean).join('\n\n') : answer;
  } finally {
    services.sessions.pin(id, undefined);
  }
}

/** Returns errors as text for the model, because throwing would end its turn. */
export async function answered(
  services: Services<'log'>,
  work: () => Promise<string>,
): Promise<vscode.LanguageModelToolResult> {
  if (!readSettings().toolsEnabled) return result(t('The Analytics Chat tools are turned off in the settings.'));
  try {
    return result(services.log.redactDocument(await work()));
  } catch (failure) {
    services.log.error('A tool failed.', failure);
    return result(t('The tool failed: {0}', services.log.redact(messageOf(failure))));
  }
}

function confirmation(services: WhereServices, question: string, branch: string): vscode.PreparedToolInvocation {
  return {
    invocationMessage: t('Asking the analytics agent'),
    confirmationMessages: {
      title: t('Ask the analytics agent?'),
      message: plainMarkdownString(consentText(whereText(services, branch), question)),
    },
  };
}

function askTool(services: ToolsServices): vscode.LanguageModelTool<unknown> {
  return {
    prepareInvocation: ({ input }) => confirmation(services, field(input, 'question'), field(input, 'branch')),
    invoke: ({ input }, token) =>
      answered(services, async () => {
        const question = field(input, 'question');
        if (question === '') return t('The input needs a question.');
        return askAgent(services, { question, branch: field(input, 'branch'), chatId: field(input, 'chatId') }, token);
      }),
  };
}

function searchTool(services: ToolsServices): vscode.LanguageModelTool<unknown> {
  const known = (query: string): string => membersText(services.members.definitions, query);
  const questionOf = (query: string): string => t('Which measures and dimensions are there for “{0}”?', query);
  /** Confirmed queries. Members known in the first step may be unknown in the second. */
  const confirmed = new Set<string>();
  return {
    // Known members need no request, and therefore no confirmation.
    prepareInvocation: ({ input }) => {
      const query = field(input, 'query');
      if (known(query)) {
        confirmed.delete(query);
        return { invocationMessage: t('Searching the data model') };
      }
      confirmed.add(query);
      return confirmation(services, questionOf(query), '');
    },
    invoke: ({ input }, token) =>
      answered(services, async () => {
        const query = field(input, 'query');
        if (query === '') return t('The input needs a query.');
        const found = known(query);
        if (found !== '') return found;
        if (!confirmed.has(query)) return t('The data model is no longer available. Search again to ask the agent.');
        const answer = await askAgent(services, { question: questionOf(query) }, token);
        return [known(query), answer].filter(Boolean).join('\n\n');
      }),
  };
}

/** @returns the tools by their names in the manifest */
export const toolsOf = (services: ToolsServices) => ({
  ask_analytics_agent: askTool(services),
  search_data_model: searchTool(services),
});
