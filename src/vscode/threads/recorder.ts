/** Records one thread at a time; a status bar item shows this and stops it. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { RecordingWriter } from '../../chat/recording/write.ts';
import { t } from '../../shared/text/l10n.ts';
import type { StreamLine } from '../../shared/wire/streamLines.ts';
import { createStatusItem, type StatusItem } from '../host/notify.ts';
import type { Connector } from '../connection/connector.ts';
import type { Sessions } from './sessions.ts';

export class Recorder implements vscode.Disposable {
  /** The stream lines as text, as the service sent them. */
  readonly #texts = new WeakMap<StreamLine, string>();
  readonly #subscription: vscode.Disposable;
  #current: { session: ChatSession; writer: RecordingWriter; item: StatusItem } | undefined;

  constructor(sessions: Sessions, { onLine }: Pick<Connector, 'onLine'>) {
    this.#subscription = vscode.Disposable.from(
      sessions.onDidChange(({ session, events }) => {
        const { writer } = this.#current?.session === session ? this.#current : {};
        // A full recording is being saved and gets no more events.
        if (!writer || writer.isFull) return;
        writer.add(events, Date.now());
        if (writer.isFull) void vscode.commands.executeCommand('analyticsChat.saveRecording');
      }),
      onLine(({ line, text }) => {
        if (this.#current) this.#texts.set(line, text);
      }),
    );
  }

  /** The session being recorded, if any. */
  get session(): ChatSession | undefined {
    return this.#current?.session;
  }

  /** Starts a recording with the existing content of the thread. */
  start(session: ChatSession): void {
    const name = t('Analytics Chat: Recording');
    const item = createStatusItem('analyticsChat.recording', 0, name, 'analyticsChat.saveRecording');
    item.show('record', t('Recording chat'), t('Stop the recording and save it'));
    const writer = new RecordingWriter(session.thread, Date.now(), (line) => this.#texts.get(line));
    this.#current = { session, writer, item };
    setContext(true);
  }

  /** Stops the recording. @returns its NDJSON text; undefined if no recording was in progress */
  stop(): string | undefined {
    const current = this.#current;
    this.#current = undefined;
    current?.item.dispose();
    setContext(false);
    return current?.writer.text;
  }

  dispose(): void {
    this.stop();
    this.#subscription.dispose();
  }
}

const setContext = (isRecording: boolean): void =>
  void vscode.commands.executeCommand('setContext', 'analyticsChat.recording', isRecording);
