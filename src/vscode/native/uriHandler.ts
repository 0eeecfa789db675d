/** Handles `vscode://` links to the extension: `/thread?id=…` and `/ask?text=…`. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import type { App } from '../app.ts';
import { readLink } from './extensionLinks.ts';
import { consentText } from './consent.ts';
import { whereWords } from './where.ts';
import { askWithInformation } from '../host/notify.ts';

/** Asks a question after the user confirms it, because any web page can contain such a link. */
async function askAfterConsent(app: App, text: string): Promise<void> {
  const ask = t('Ask');
  const detail = consentText(whereWords(app), text);
  const choice = await askWithInformation(t('A link wants to ask your analytics agent:'), detail, ask);
  if (choice !== ask) return;
  const session = app.sessions.create();
  await app.views.focus(session);
  await session.send({ text, images: [] });
}

export function handleLinks(app: App): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: ({ path, query }) =>
      void app.guarded(async () => {
        await app.repository.restore();
        const wish = readLink(path, query);
        if (wish === undefined) return app.log.warn(`A link was ignored: ${JSON.stringify(path.slice(0, 100))}`);
        if (wish.kind === 'ask') return askAfterConsent(app, wish.text);
        await app.views.reveal(await app.repository.open(wish.threadId));
      }),
  });
}
