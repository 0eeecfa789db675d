import { spawn } from 'node:child_process';

const commands: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL in the default browser; does nothing if there is no display. */
export function openBrowser(url: string): void {
  const hasScreen = process.env['DISPLAY'] !== undefined || process.env['WAYLAND_DISPLAY'] !== undefined;
  const [command, ...args] = commands[process.platform] ?? (hasScreen ? ['xdg-open'] : []);
  if (command !== undefined) {
    spawn(command, [...args, url], { stdio: 'ignore', detached: true })
      .on('error', () => undefined)
      .unref();
  }
}
