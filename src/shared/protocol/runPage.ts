/** Messages from the pages that show a run of questions: answers on two branches, and one question as several identities. */
import { isFields } from '../text/checks.ts';

export type FromRunPage =
  /** Asks for the complete state. */
  | { type: 'ready' }
  | { type: 'cancel' }
  | { type: 'askAgain' }
  /** Opens the entry with this index: both answers of a question, or the chat of an identity. */
  | { type: 'open'; index: number }
  | { type: 'problem'; text: string };

/** @returns whether a message from the page is a `FromRunPage` with every field as declared */
export function isFromRunPage(message: unknown): message is FromRunPage {
  if (!isFields(message)) return false;
  switch (message.type) {
    case 'ready':
    case 'cancel':
    case 'askAgain':
      return true;
    case 'open':
      return Number.isInteger(message.index);
    case 'problem':
      return typeof message.text === 'string';
    default:
      return false;
  }
}
