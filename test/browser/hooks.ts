import { installChromium } from '../vscode/chromium.ts';

/** Installs the browser, if necessary, before the first test's time starts. */
export async function mochaGlobalSetup(): Promise<void> {
  await installChromium();
}
