/** Handles `vscode://` links to the extension: `/thread?id=…` and `/ask?text=…`. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { readLink } from './extensionLinks.ts';
import { consentText, whereWords, type WhereServices } from './consent.ts';
import { askWithInformation } from '../host/notify.ts';
import type { Sessions } from '../threads/sessions.ts';
import type { ChatViews } from '../views/chatViews.ts';
import type { Log } from '../host/log.ts';
import type { ThreadRepository } from '../threads/threadRepository.ts';
import type { Guarded } from '../host/guarded.ts';

export interface AskAfterConsentServices extends WhereServices {
  sessions: Sessions;
  views: ChatViews;
}

export interface UriHandlerServices extends AskAfterConsentServices {
  log: Log;
  repository: ThreadRepository;
  guarded: Guarded;
}

/** Asks a question after the user confirms it, because any web page can contain such a link. */
async function askAfterConsent(services: AskAfterConsentServices, text: string): Promise<void> {
  const ask = t('Ask');
  const detail = consentText(whereWords(services), text);
  const choice = await askWithInformation(t('A link wants to ask your analytics agent:'), detail, ask);
  if (choice !== ask) return;
  const session = services.sessions.create();
  await services.views.focus(session);
  await session.send({ text, images: [] });
}

export function handleLinks(services: UriHandlerServices): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: ({ path, query }) =>
      void services.guarded(async () => {
        await services.repository.restore();
        const wish = readLink(path, query);
        if (wish === undefined) return services.log.warn(`A link was ignored: ${JSON.stringify(path.slice(0, 100))}`);
        if (wish.kind === 'ask') return askAfterConsent(services, wish.text);
        await services.views.reveal(await services.repository.open(wish.threadId));
      }),
  });
}
