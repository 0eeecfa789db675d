/** Messages of the user, and whether two of them are the same question. */
import type { ChatError } from '../../api/errors.ts';
import type { Question, QuestionContext, Thread } from '../../shared/thread/model.ts';
import { questionsOf } from '../../shared/thread/turns.ts';
import type { ChatRequest, ImageAttachment } from '../../shared/wire/streamLines.ts';

export interface Message {
  text: string;
  images: readonly ImageAttachment[];
}

/** A message that probably has not reached the service. */
export interface Unsent extends Message {
  id: string;
  /** The branch and identity that it was sent with. */
  context?: QuestionContext | undefined;
  /** Whether it may have reached the service. */
  possiblyDelivered?: boolean;
}

export const sameMessage = (a: Message, b: Message): boolean =>
  a.text === b.text &&
  a.images.length === b.images.length &&
  a.images.every(({ data }, i) => data === b.images[i]?.data);

export const sameContext = (a: QuestionContext, b: QuestionContext): boolean =>
  a.branch === b.branch && a.isDefaultBranch === b.isDefaultBranch && a.identity === b.identity;

/** Failures that prove that the service has not accepted the message. */
const refusals: readonly ChatError['kind'][] = ['auth', 'badRequest', 'notFound', 'forbidden', 'stream'];

/** @returns whether the service may have accepted the message, so that only the same id prevents a duplicate */
export const keepsId = ({ kind, untimely }: ChatError): boolean => untimely || !refusals.includes(kind);

export const lastQuestion = (thread: Thread): Question | undefined => questionsOf(thread).at(-1);

/** @returns the request that asks a question, or reattaches to its answer if the service already has it */
export const requestFor = ({ chatId }: Thread, question: Pick<Question, 'id' | 'content' | 'images'>): ChatRequest => ({
  input: question.content,
  chatId,
  messageId: question.id,
  ...(question.images?.length ? { images: [...question.images] } : {}),
});
