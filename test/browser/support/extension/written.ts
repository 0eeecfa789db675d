/** The extension with a service whose lines the test writes. */
import { useSetup } from '../../../support/useSetup.ts';
import { writtenService, type WrittenService } from '../../../support/service/writtenService.ts';
import { startExtension, type ExtensionOptions, type RunningExtension } from './extension.ts';

export interface WrittenExtension extends RunningExtension {
  service: WrittenService;
}

async function start(options: ExtensionOptions): Promise<WrittenExtension> {
  const service = await writtenService();
  const extension = await startExtension({ chatApiUrl: service.chatApiUrl, apiKey: 'any-key', ...options });
  return {
    ...extension,
    service,
    newChat: async () => {
      service.forget();
      await extension.newChat();
    },
    stop: async () => {
      await service.stop();
      await extension.stop();
    },
  };
}

/** Starts and stops it with the calling suite. */
export const useWrittenExtension = (options: ExtensionOptions = {}): WrittenExtension => useSetup(() => start(options));
