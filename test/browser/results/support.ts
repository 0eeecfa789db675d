/** The results of the sandbox in the chat page, with some answers of the test's own. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'mocha';
import type { Locator } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { resultLines } from '../../support/service/answers.ts';
import { forwardTo } from '../../support/service/forward.ts';
import { scriptedService, writeInPieces } from '../../support/service/scriptedService.ts';
import { until } from '../../support/until.ts';
import { useSetup } from '../../support/useSetup.ts';
import { startExtension, type RunningExtension } from '../support/extension/extension.ts';

export const MONTHS = 'revenue by month in 2024';
export const DAYS = 'orders by day in 2024';

const hostileSpec = {
  $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
  usermeta: { embedOptions: { ast: false, actions: true, editorUrl: 'https://evil.example/' } },
  layer: [
    { data: { url: 'https://evil.example/rows.json' }, mark: 'bar' },
    { mark: { type: 'image', url: 'https://evil.example/pixel.png' } },
  ],
};

export interface ResultsPage extends RunningExtension {
  sandbox: Sandbox;
  /** Asks and waits for the result. @returns its card */
  ask(question: string): Promise<Locator>;
  path(name: string): string;
  /** Accepts the file that the save dialog proposes, which must have this name. */
  save(name: string): Promise<void>;
  /** Waits until this file has contents. */
  written(name: string): Promise<Buffer>;
  /** Clipboard text, once it has this many lines. */
  copied(lines: number, end: string): Promise<string>;
  /** The rows of the question by day, requested directly from the sandbox, with midnights as days. */
  allRows(): Promise<string[][]>;
}

async function start(): Promise<ResultsPage> {
  const sandbox = await startSandbox({ pace: 0 });
  const service = await scriptedService(async (request, response) => {
    const { input, messageId } = request.body;
    if (input === 'hostile') writeInPieces(response, resultLines(messageId, input, { vegaSpec: hostileSpec }), 64);
    else if (input === 'empty') writeInPieces(response, resultLines(messageId, input, { data: [] }), 64);
    else await forwardTo(sandbox, request, response);
  });
  const extension = await startExtension({
    workspace: 'model',
    chatApiUrl: service.chatApiUrl,
    apiKey: sandbox.apiKey,
    settings: {
      'analyticsChat.dataQueryUrl': new URL(service.chatApiUrl).origin + new URL(sandbox.dataQueryUrl).pathname,
    },
  });
  const { chat, editor, prompts, folder } = extension;
  const path = (name: string): string => join(folder, name);
  return {
    ...extension,
    sandbox,
    path,
    ask: async (question) => {
      const turns = chat.view.locator('.turn');
      const keys = (): Promise<(string | undefined)[]> =>
        turns.evaluateAll((all) => all.map((turn) => (turn as HTMLElement).dataset['turn']));
      const before = (await keys()).at(-1) ?? '';
      await chat.ask(question);
      const card = { name: /^SQL query/ };
      await chat.view.locator(`.turn:not([data-turn="${before}"]):last-child`).getByRole('group', card).waitFor();
      await chat.told('Answer finished');
      return chat.view.locator(`[data-turn="${(await keys()).at(-1)}"]`).getByRole('group', card);
    },
    save: async (name) => {
      await until(
        () => prompts.proposed.at(-1) === path(name),
        () => `${prompts.proposed.at(-1)} is proposed`,
      );
      await prompts.file();
    },
    written: async (name) => {
      // A file is created before its contents are written.
      await until(
        () => existsSync(path(name)) && statSync(path(name)).size > 0,
        () => `${name} was not written; there is ${readdirSync(path('.')).join(', ')}`,
      );
      return readFileSync(path(name));
    },
    copied: async (lines, end) => {
      const text = (): string => editor.clipboard.trimEnd();
      await until(() => text().split(end).length === lines, text);
      return text();
    },
    allRows: () => allRows(sandbox),
    stop: async () => {
      await extension.stop();
      await service.stop();
      await sandbox.stop();
    },
  };
}

/** Starts and stops it with the calling suite. */
export function useResults(): ResultsPage {
  const setup = useSetup(start);
  afterEach(() => setup.sandbox.faults());
  return setup;
}

/** The rows of the question by day, requested directly from the sandbox, with midnights as days. */
async function allRows(sandbox: Sandbox): Promise<string[][]> {
  const { body, headers } = sandbox.requests.findLast(({ path }) => path.endsWith('/query'))!;
  const authorization = String(headers.authorization);
  const response = await fetch(sandbox.dataQueryUrl, {
    method: 'POST',
    body,
    headers: { authorization, 'content-type': 'application/json' },
  });
  const lines = (await response.text()).trim().split('\n').slice(1);
  const asShown = (cell: unknown): string => String(cell).replace(/T00:00:00\.000$/, '');
  return lines.flatMap((line) => (JSON.parse(line) as { data: unknown[][] }).data.map((row) => row.map(asShown)));
}
