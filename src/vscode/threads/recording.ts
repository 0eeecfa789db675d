/** Commands that record a thread to an NDJSON file and play recordings as read-only threads. */
import * as vscode from 'vscode';
import { redactRecording } from '../../chat/recording/redact.ts';
import { MOST_BYTES, readRecording, recordingTooLarge } from '../../chat/recording/read.ts';
import { messageOf } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { emptyThread } from '../../shared/thread/model.ts';
import { isRunning } from '../../shared/thread/turns.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import type { Command } from '../host/command.ts';
import { setStatusBarMessage, showInformationMessage } from '../host/notify.ts';
import { askWhereToSave, writeText } from '../host/files.ts';
import { warnOfImages } from './threadActions.ts';
import type { Services } from '../services.ts';

type OpenRecordingServices = Services<'sessions' | 'repository' | 'views' | 'replays'>;

const SAMPLE = 'sample-';

/** Starts recording the active thread, including its earlier turns; saves the recording if one is in progress. */
export const recordChat: Command<Services<'log' | 'sessions' | 'repository' | 'views' | 'recorder'>> = async (
  services,
) => {
  if (services.recorder.session) return saveRecording(services);
  const session = services.sessions.active;
  if (services.repository.isReadOnly(session.thread.id)) throw new Error(t('This chat is already a recording.'));
  if (isRunning(session.thread)) throw new Error(t('Wait for the answer to finish or stop it, then start recording.'));
  services.recorder.start(session);
  await services.views.focus(session);
  void showInformationMessage(
    t('Recording this chat with its questions, SQL and results. To stop and save, use the status bar.'),
  );
  return undefined;
};

/** Stops recording and asks where to save the file. @returns the file, or undefined if nothing was saved */
export const saveRecording: Command<Services<'log' | 'recorder' | 'sessions'>> = async (services) => {
  const { session } = services.recorder;
  const text = services.recorder.stop();
  if (session && text !== undefined) return save(services, session, text);
  void showInformationMessage(t('No chat is being recorded.'));
  return undefined;
};

async function save(
  services: Services<'log' | 'sessions'>,
  session: ChatSession,
  text: string,
): Promise<vscode.Uri | undefined> {
  const name = services.sessions.titleOf(session) || t('Recording');
  const target = await askWhereToSave(t('Save recording'), { NDJSON: ['ndjson'] }, name);
  let reason = t('The recording was not saved.');
  if (target) {
    const clean = redactRecording(text, services.log.redactDocument);
    try {
      await writeText(target, clean);
      setStatusBarMessage(t('Recording saved'), 3000);
      return target;
    } catch (failure) {
      // The recording exists only here: offer another place.
      services.log.error('The recording could not be saved.', failure);
      reason = `${reason} ${messageOf(failure)}`;
    }
  }
  const again = t('Save…');
  const choice = await showInformationMessage(reason, again);
  return choice === again ? save(services, session, text) : undefined;
}

/** @param argument URI of the file, as passed by the Explorer; if omitted, the user picks a file */
export const openRecording: Command<OpenRecordingServices> = async (services, argument) => {
  const file = argument instanceof vscode.Uri ? argument : await pickRecording();
  if (file) await openFile(services, file, crypto.randomUUID());
};

async function pickRecording(): Promise<vscode.Uri | undefined> {
  const filters = { [t('Recordings')]: ['ndjson', 'jsonl'] };
  const [file] = (await vscode.window.showOpenDialog({ title: t('Open recording'), filters })) ?? [];
  return file;
}

/** Plays the bundled sample recording, which needs no connection, and removes earlier copies from the history. */
export const openSample: Command<OpenRecordingServices & Services<'context' | 'history'>> = async (services) => {
  const history = await services.history();
  const past = (await history.list()).filter(({ id }) => id.startsWith(SAMPLE) && !services.sessions.get(id));
  for (const { id } of past) await history.remove(id);
  const file = vscode.Uri.joinPath(services.context.extensionUri, 'media', 'sample.ndjson');
  await openFile(services, file, `${SAMPLE}${Date.now()}`);
};

async function openFile(services: OpenRecordingServices, file: vscode.Uri, threadId: string): Promise<void> {
  const { size } = await vscode.workspace.fs.stat(file);
  if (size > MOST_BYTES) throw recordingTooLarge();
  const problems: string[] = [];
  const bytes = await vscode.workspace.fs.readFile(file);
  const moments = readRecording(bytes, Date.now(), (problem) => problems.push(problem));
  warnOfImages(problems);
  services.repository.markReadOnly(threadId);
  const session = services.sessions.add(emptyThread(threadId));
  await services.views.focus(session);
  await services.replays.play(session, moments);
}
