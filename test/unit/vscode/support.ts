/** What tests of the extension share: the stubs of VS Code and of the services, and the data that these have. */
import { Disposable } from '../../support/editorValues.ts';

export { emptyThread } from '../../../src/shared/thread/model.ts';
export type { Home, QuestionContext, Thread, ThreadEvent } from '../../../src/shared/thread/model.ts';
export type { ConnectionEntry } from '../../../src/chat/connection/connectionList.ts';
export type { ChatSession } from '../../../src/chat/session/chatSession.ts';
export type { TestQuestion } from '../../../src/evals/question.ts';
export type { ChatView } from '../../../src/vscode/host/chatView.ts';
export { Disposable, EventEmitter, Uri } from '../../support/editorValues.ts';
export { flat, makeItem, makeTurn, withItems } from '../../support/item.ts';
export { becomes, until } from '../../support/until.ts';
export { loadWithEditor, mementoOn } from '../../support/withEditor.ts';
export { questionNamed, queryWith } from '../evals/support.ts';
export { registered, type ServiceStubs } from './areas.ts';
export { keeping, Position, Range, TextDocument, TextEditor, uriAt, WorkspaceEdit, type Problem } from './documents.ts';
export { Editor, Panel } from './editor.ts';
export * from './pairs.ts';

/** A tool for language models. */
export interface Tool<Prepared> {
  prepareInvocation(call: object): Prepared;
  invoke(call: object, token: object): Promise<{ text: string }>;
}
/** Of a call that is not canceled. */
export const token = { onCancellationRequested: () => new Disposable(() => undefined) };
