/** Messages of the user, their comparison and ids. */
import type { ChatError } from '../../api/errors.ts';
import type { Question, QuestionContext, Thread } from '../../shared/thread/model.ts';
import { questionsOf } from '../../shared/thread/turns.ts';
import type { ChatRequest, ImageAttachment } from '../../shared/wire/streamLines.ts';

export interface Message {
  text: string;
  images: readonly ImageAttachment[];
}

/** A message with its id, which it keeps as long as the service may have it. */
export interface Addressed extends Message {
  id: string;
  /** The branch and identity that it was sent with, or is to be sent with. */
  context?: QuestionContext;
  /** Whether a request with it was lost, so that only the same id prevents a duplicate. */
  possiblyDelivered?: boolean;
}

export const isSameMessage = (a: Message, b: Message): boolean =>
  a.text === b.text &&
  a.images.length === b.images.length &&
  a.images.every(({ data }, i) => data === b.images[i]?.data);

/** Failures that prove that the service has not accepted the message. */
const REFUSALS: readonly ChatError['kind'][] = ['auth', 'badRequest', 'notFound', 'forbidden', 'stream'];

/** @returns whether the service may have accepted the message, so that only the same id prevents a duplicate */
export const mayBeDelivered = ({ kind, untimely }: ChatError): boolean => untimely || !REFUSALS.includes(kind);

export const lastQuestion = (thread: Thread): Question | undefined => questionsOf(thread).at(-1);

/**
 * @returns the request that asks a question, or reattaches to its answer if the service already has it; without a
 * question, the one that reads the thread
 */
export const requestFor = (
  { chatId }: Thread,
  question?: Pick<Question, 'id' | 'content' | 'images'>,
): ChatRequest => ({
  chatId,
  ...(question && { input: question.content, messageId: question.id }),
  ...(question?.images?.length ? { images: [...question.images] } : {}),
});
