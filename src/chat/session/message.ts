/** What the user wrote, and when two messages are the same question. */
import type { ChatError } from '../../api/errors.ts';
import type { Item, Stamp, Thread } from '../../shared/thread/model.ts';
import type { ChatRequest, ImageAttachment } from '../../shared/wire.ts';

export interface Message {
  text: string;
  images: readonly ImageAttachment[];
}

/** What a request needs of a question. */
export type Question = Pick<Item, 'id' | 'content' | 'images' | 'stamp'>;

/** A message that has not reached the service, as far as is known. */
export interface Unsent extends Message {
  id: string;
  /** Where it was to be asked when that was tried. */
  stamp?: Stamp | undefined;
  /** Whether the service may have it all the same. */
  perhapsTaken?: boolean;
}

export const sameMessage = (a: Message, b: Message): boolean =>
  a.text === b.text &&
  a.images.length === b.images.length &&
  a.images.every(({ data }, i) => data === b.images[i]?.data);

export const sameStamp = (a: Stamp, b: Stamp): boolean =>
  a.branch === b.branch && a.isDefaultBranch === b.isDefaultBranch && a.identity === b.identity;

/** Failures by which the service says that it has not taken the message. */
const refusals: readonly ChatError['kind'][] = ['auth', 'badRequest', 'notFound', 'forbidden', 'stream'];

/** @returns whether the service may have taken the message all the same, so that only its id keeps it from coming twice */
export const keepsId = ({ kind, untimely }: ChatError): boolean => untimely || !refusals.includes(kind);

export const lastQuestion = (thread: Thread): Item | undefined => thread.items.findLast(({ role }) => role === 'user');

/** @returns the request that asks a question, or takes up its answer when the service has it already */
export const requestFor = ({ chatId }: Thread, question: Question): ChatRequest => ({
  input: question.content,
  chatId,
  messageId: question.id,
  ...(question.images?.length ? { images: [...question.images] } : {}),
});
