/** Composable runtime checks of messages from webviews and of data from files. */
import type { QuestionContext, ThreadError } from '../thread/model.ts';

/** A JSON object with unchecked members. */
export type Fields = Record<string, unknown>;
export type Check = (value: unknown) => boolean;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** @returns the object itself, or an empty object for any other value */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
/** @returns a string member of an object; `undefined` if it is missing or not a string */
export function textIn(value: unknown, name: string): string | undefined {
  const member = fieldsOf(value)[name];
  return typeof member === 'string' ? member : undefined;
}
/** @returns the message of whatever was thrown */
export const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));
export const text: Check = (value) => typeof value === 'string';
export const number: Check = Number.isFinite;
/** The latest time that a `Date` can represent, in Unix milliseconds. */
export const LATEST = 8.64e15;
export const isTimestamp = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= LATEST;
export const flag: Check = (value) => typeof value === 'boolean';
export const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value as string);
export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
export const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
export const shape =
  (fields: Record<string, Check>): Check =>
  (value) =>
    isFields(value) && Object.entries(fields).every(([name, check]) => check(value[name]));
/** @param shapes the fields of each message, by its type @returns whether a message has one of these types, and its fields */
export const isTyped = (
  shapes: Readonly<Record<string, Readonly<Record<string, Check>>>>,
  message: unknown,
): boolean => {
  const { type } = fieldsOf(message);
  return typeof type === 'string' && Object.hasOwn(shapes, type) && shape(shapes[type]!)(message);
};

export const image = shape({ mimeType: text, data: text, name: maybe(text) });
const attachment = shape({
  ...{ kind: oneOf('file', 'selection', 'problem', 'sql'), name: text, text, cut: maybe(flag) },
});
const message = { text, images: listOf(image), attachments: maybe(listOf(attachment)) };
export const draft = shape({ ...message, aside: maybe(shape(message)) });
export const questionContext = shape({ branch: text, isDefaultBranch: flag, identity: text });
const error = shape({ kind: text, message: text, actions: listOf(text) });
export const isThreadError = (value: unknown): value is ThreadError => error(value);
export const isQuestionContext = (value: unknown): value is QuestionContext => questionContext(value);
