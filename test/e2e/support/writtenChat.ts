/** The chat in its own editor, with a service whose lines the test writes. */
import type { Page } from 'playwright-core';
import type { Chat } from '../../support/chat.ts';
import { openChat, openNewChat } from './chat.ts';
import { launch, type Launched, type LaunchOptions } from './launch.ts';
import { useSetup } from '../../support/useSetup.ts';
import { writtenService, type WrittenService } from '../../support/service/writtenService.ts';

export interface WrittenChat {
  service: WrittenService;
  editor: Launched;
  page: Page;
  chat: Chat;
  /** Starts a new chat; the service forgets earlier questions. */
  newChat(): Promise<void>;
  stop(): Promise<void>;
}

type BeforeChat = (editor: Launched) => Promise<unknown>;

async function writtenChat(options: LaunchOptions, beforeChat?: BeforeChat): Promise<WrittenChat> {
  const service = await writtenService();
  const env = { ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: 'any-key' };
  const editor = await launch({ ...options, env });
  const { page } = editor;
  await beforeChat?.(editor);
  const chat = await openChat(page);
  return {
    ...{ service, editor, page, chat },
    newChat: async () => {
      service.forget();
      await openNewChat(page);
    },
    stop: async () => {
      await editor.stop();
      await service.stop();
    },
  };
}

/**
 * Starts and stops it with the calling suite.
 * @param beforeChat called after the editor has started and before the chat opens
 */
export const useWrittenChat = (options: LaunchOptions = {}, beforeChat?: BeforeChat): WrittenChat =>
  useSetup(() => writtenChat(options, beforeChat));
