import { chromium, type Browser } from 'playwright-core';
import { installDebianPackages } from './debian.ts';
import { isExecutable, which } from './exec.ts';

/** Chromium without its user interface: the tests need a sixth less CPU time than with all of Chromium. */
const HEADLESS = 'chromium-headless-shell';
const whole = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];
const macPaths = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/**
 * Chromium loads hundreds of files for the suggestions of its address bar, which nobody sees, into each new window: two
 * thirds of the CPU time of an empty page. Chromium takes only the last list of features, so those that Playwright
 * disables for our uses are repeated.
 */
const disabledFeatures = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxAimPopup'],
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
  ...[
    'DestroyProfileOnBrowserClose',
    'HttpsFirstBalancedModeAutoEnable',
    'HttpsUpgrades',
    'LensOverlay',
    'MediaRouter',
  ],
  ...['NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch'],
  'ThirdPartyStoragePartitioning',
];

/** Flags that let Chromium run as root, without a display and without internet access. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures.join(',')}`,
];

/**
 * @param names programs to look for
 * @returns the path of an installed Chromium, Chrome or Edge: CHROMIUM_PATH if set, otherwise a known name or location
 */
export function chromiumPath(names = [HEADLESS, ...whole]): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') {
    if (!isExecutable(named)) {
      throw new Error(`CHROMIUM_PATH names ${named}, which is not an executable file.`);
    }
    return named;
  }
  return which(...names) ?? macPaths.find(isExecutable);
}

/**
 * Finds Chromium, or installs the Debian package if that needs no interaction.
 * @param kind `headless` for tests; `whole` for measurements, whose ratios depend on it
 * @returns its path
 * @throws Error with instructions, on one line
 */
export async function installChromium(kind: 'headless' | 'whole' = 'headless'): Promise<string> {
  const [name, names] = kind === 'headless' ? [HEADLESS, [HEADLESS, ...whole]] : ['chromium', whole];
  let path = chromiumPath(names);
  if (path === undefined && (await installDebianPackages([name], console.error))) {
    path = chromiumPath(names);
  }
  if (path === undefined) {
    throw new Error(`No Chromium or Chrome found: run "sudo apt-get install ${name}", or set CHROMIUM_PATH to one.`);
  }
  return path;
}

/** Starts a headless browser; the caller must close it. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await installChromium(), args: flags });
}
