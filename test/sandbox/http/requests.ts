/** Parses and validates request bodies (2.1, 2.3, 4.2). */
import { MESSAGE_ID } from '../../../src/shared/wire/streamLines.ts';
import { badRequest } from './failures.ts';
import { isFields } from '../access/sessionSettings.ts';

export interface ChatFields {
  input?: string;
  chatId?: string;
  messageId?: string;
  activeBranchName?: string;
  isDefaultBranch: boolean;
  imageCount: number;
}

type Fields = Record<string, unknown>;

/** @throws HttpFailure 400 unless it is a JSON object */
export function parseBody(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest('The body is not JSON');
  }
  if (!isFields(value)) throw badRequest('The body is not a JSON object');
  return value;
}

function optionalText(body: Fields, field: string): string | undefined {
  const value = body[field];
  if (value !== undefined && (typeof value !== 'string' || value === ''))
    throw badRequest(`${field} must be text that is not empty`);
  return value;
}

function countImages(value: unknown): number {
  if (value === undefined) return 0;
  if (!Array.isArray(value)) throw badRequest('images must be a list');
  for (const image of value) {
    if (!isFields(image) || typeof image['mimeType'] !== 'string' || typeof image['data'] !== 'string')
      throw badRequest('An image needs mimeType and data');
    if (image['name'] !== undefined && typeof image['name'] !== 'string')
      throw badRequest("An image's name must be text");
    if (!/^image\/[\w.+-]+$/.test(image['mimeType'])) throw badRequest("An image's mimeType must be that of an image");
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(image['data'])) throw badRequest("An image's data must be base64");
  }
  return value.length;
}

/** @throws HttpFailure 400 */
export function readChatFields(body: Fields): ChatFields {
  const messageId = optionalText(body, 'messageId');
  if (messageId !== undefined && !MESSAGE_ID.test(messageId))
    throw badRequest('messageId must match ^\\d{13,}-message$');
  const activeBranchName = optionalText(body, 'activeBranchName');
  const { isDefaultBranch = activeBranchName === undefined } = body;
  if (typeof isDefaultBranch !== 'boolean') throw badRequest('isDefaultBranch must be true or false');
  const [input, chatId] = [optionalText(body, 'input'), optionalText(body, 'chatId')];
  return {
    ...(input === undefined ? {} : { input }),
    ...(chatId === undefined ? {} : { chatId }),
    ...(messageId === undefined ? {} : { messageId }),
    ...(activeBranchName === undefined ? {} : { activeBranchName }),
    isDefaultBranch,
    imageCount: countImages(body['images']),
  };
}

/** @throws HttpFailure 400 */
export function readAbortFields(body: Fields): { chatId: string } {
  const chatId = optionalText(body, 'chatId');
  if (chatId === undefined) throw badRequest('chatId is required');
  return { chatId };
}
