/** The *Switch Connection…* command, which also adds and removes connections. */
import * as vscode from 'vscode';
import {
  addressOf,
  originOf,
  originsOf,
  printsTokens,
  shownName,
  type ConnectionEntry,
} from '../../chat/connection/connectionList.ts';
import { keyProblemText } from '../../chat/connection/keyProblems.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Command } from '../host/command.ts';
import { askWithWarning, showInformationMessage, showWarningMessage } from '../host/notify.ts';
import { createQuickPick, itemButton, picked, setItems, type ItemButton, type PickItem } from '../host/quickPick.ts';
import { openSettings, readSettings } from '../host/settings.ts';
import { removeConnection } from './connections.ts';
import { addConnection, connectTo, type ConnectionSetupServices } from './connect.ts';
import type { Services } from '../services.ts';

type RemoveServices = Services<'credentials' | 'connections'>;

type SwitchConnectionServices = ConnectionSetupServices & Services<'connector'>;

interface ConnectionPick extends PickItem {
  entry?: ConnectionEntry;
  buttons?: readonly ItemButton[];
  /** Runs when the item is picked; set on items that are not connections. */
  act?: () => unknown;
}

const editConnections = (): Thenable<unknown> => openSettings('analyticsChat.connections');

const icon = (id: string): vscode.ThemeIcon => new vscode.ThemeIcon(id);

async function keyState(services: Services<'connector'>, entry: ConnectionEntry): Promise<string> {
  if (printsTokens(entry)) return t('service token from a command');
  const isThere = await services.connector.credentialFor(originOf(entry), entry.authentication).then(
    () => true,
    () => false,
  );
  if (entry.authentication === 'apiKey') return isThere ? t('API key stored') : t('no API key');
  return isThere ? t('service token stored') : t('no service token');
}

async function pickOf(services: SwitchConnectionServices, entry: ConnectionEntry): Promise<ConnectionPick> {
  const isCurrent = entry.name === services.connections.current?.name;
  // The development URL from the environment is not in the settings, so it can't be changed or removed.
  const isSet = entry.name !== '' || readSettings().chatApiUrl !== '';
  return {
    entry,
    label: shownName(entry),
    iconPath: icon('plug'),
    description: isCurrent ? t('current') : '',
    detail: [addressOf(entry), await keyState(services, entry)].join(' · '),
    buttons: isSet
      ? [
          itemButton('edit', t('Edit'), () => connectTo(services, entry)),
          itemButton('trash', t('Remove'), () => remove(services, entry)),
        ]
      : [],
  };
}

async function picksOf(services: SwitchConnectionServices): Promise<ConnectionPick[]> {
  const { all, unusable } = services.connections;
  return [
    ...(await Promise.all(all.map((entry) => pickOf(services, entry)))),
    ...unusable.map(({ label, problem }) => ({
      label,
      iconPath: icon('warning'),
      detail: problem,
      act: editConnections,
    })),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: t('Add connection…'), iconPath: icon('add'), act: () => addConnection(services) },
    { label: t('Edit connections in the settings…'), iconPath: icon('gear'), act: editConnections },
  ];
}

/** A connection to switch to, or else the handler of an item or of its button. */
type Choice = Pick<ConnectionPick, 'entry' | 'act'>;

async function pickConnection(services: SwitchConnectionServices): Promise<Choice | undefined> {
  const pick = createQuickPick<ConnectionPick>(
    t('Analytics Chat: Switch Connection'),
    t('Select the connection for new chats'),
  );
  const current = services.connections.current?.name;
  setItems(pick, await picksOf(services), ({ entry }) => entry !== undefined && entry.name === current);
  let pressed: ItemButton | undefined;
  pick.onDidTriggerItemButton(({ item, button }) => {
    pressed = item.buttons?.find((each) => each === button);
    pick.hide();
  });
  return (await picked(pick)) ?? pressed;
}

/** Removes a connection after confirmation, and its credential unless another connection uses it. */
async function remove(services: RemoveServices, entry: ConnectionEntry): Promise<void> {
  const choice = await askWithWarning(
    t('Remove the connection {0}?', services.connections.described(entry)),
    t('Its chats stay in the history, but you can’t continue them.'),
    t('Remove'),
  );
  if (choice === undefined) return;
  const { name, authentication } = entry;
  const sharing = services.connections.all.filter(
    (other) => other.name !== name && other.authentication === authentication,
  );
  const needed = sharing.flatMap(originsOf);
  // The keys first: without the connection, the user could no longer sign out.
  for (const origin of originsOf(entry).filter((each) => !needed.includes(each)))
    if (!(await services.credentials.remove(origin, authentication)))
      return void showWarningMessage(keyProblemText('stuck', origin));
  await removeConnection(name);
}

/** Tells the user that the open thread stays on its own connection, and offers a new one. */
function offerNewChat(services: Services<'connections' | 'sessions'>, entry: ConnectionEntry): void {
  if (services.sessions.connectionOf(services.sessions.active)?.name === entry.name) return;
  const newChat = t('New chat');
  void showInformationMessage(
    t('New chats use {0}. The open chat keeps its connection.', shownName(entry)),
    newChat,
  ).then((choice) => {
    if (choice === newChat) void vscode.commands.executeCommand('analyticsChat.newChat');
  });
}

/**
 * @param argument name of a connection; if omitted, the user picks one
 * @returns the name of the new current connection, or undefined if the user cancels
 * @throws Error if there is no connection of that name
 */
export const switchConnection: Command<SwitchConnectionServices> = async (services, argument) => {
  if (services.connections.current === undefined && services.connections.unusable.length === 0)
    return connectTo(services, undefined);
  const named = typeof argument === 'string' ? argument : undefined;
  const known = services.connections.all.find(({ name }) => name === named);
  if (named !== undefined && !known) throw new Error(t('There is no connection named “{0}”.', named));
  const choice: Choice | undefined = known ? { entry: known } : await pickConnection(services);
  if (choice?.act) return choice.act();
  if (!choice?.entry) return undefined;
  await services.connections.switchTo(choice.entry);
  offerNewChat(services, choice.entry);
  return choice.entry.name;
};
