import { spawn } from 'node:child_process';

const commands: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Shows an address in the user's browser where there is a screen; silently does nothing where there is none. */
export function openBrowser(url: string): void {
  const hasScreen = process.env['DISPLAY'] !== undefined || process.env['WAYLAND_DISPLAY'] !== undefined;
  const [command, ...args] = commands[process.platform] ?? (hasScreen ? ['xdg-open'] : []);
  if (command !== undefined) {
    spawn(command, [...args, url], { stdio: 'ignore', detached: true })
      .on('error', () => undefined)
      .unref();
  }
}
