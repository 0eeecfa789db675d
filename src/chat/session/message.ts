/** Messages of the user, and when two of them are the same question. */
import type { ChatError } from '../../api/errors.ts';
import type { Question, QuestionContext, Thread } from '../../shared/thread/model.ts';
import { questionsOf } from '../../shared/thread/turns.ts';
import type { ChatRequest, ImageAttachment } from '../../shared/wire/streamLines.ts';

export interface Message {
  text: string;
  images: readonly ImageAttachment[];
}

/** A message that has not reached the service, as far as is known. */
export interface Unsent extends Message {
  id: string;
  /** Branch and identity that it was sent with. */
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

/** Failures that say that the service has not accepted the message. */
const refusals: readonly ChatError['kind'][] = ['auth', 'badRequest', 'notFound', 'forbidden', 'stream'];

/** @returns whether the service may have accepted the message, so that only the same id prevents a duplicate */
export const keepsId = ({ kind, untimely }: ChatError): boolean => untimely || !refusals.includes(kind);

export const lastQuestion = (thread: Thread): Question | undefined => questionsOf(thread).at(-1);

/** @returns the request that asks a question, or re-attaches to its answer if the service has it already */
export const requestFor = ({ chatId }: Thread, question: Pick<Question, 'id' | 'content' | 'images'>): ChatRequest => ({
  input: question.content,
  chatId,
  messageId: question.id,
  ...(question.images?.length ? { images: [...question.images] } : {}),
});
