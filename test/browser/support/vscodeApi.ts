import type { Page } from 'playwright-core';

/**
 * Gives a page the API that VS Code gives to webviews; the state outlives a reload.
 * @param receive called with each message of the page
 * @param violated called with what the page's policy blocked
 */
export async function provideVsCodeApi(
  page: Page,
  receive: (message: unknown) => void,
  violated: (text: string) => void,
): Promise<void> {
  await page.exposeFunction('postToHost', receive);
  await page.exposeFunction('reportViolation', violated);
  await page.addInitScript(() => {
    const host = window as unknown as { postToHost(message: unknown): void; reportViolation(text: string): void };
    const api = {
      postMessage: (message: unknown) => host.postToHost(message),
      setState: (state: unknown) => sessionStorage.setItem('state', JSON.stringify(state)),
      getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null'),
    };
    Object.assign(window, { acquireVsCodeApi: () => api });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      host.reportViolation(`${violatedDirective}: ${blockedURI}`),
    );
  });
}
