/** Draws charts without a browser, in a theme whose colors all differ. */
import assert from 'node:assert/strict';
import { mergeConfig, type View } from 'vega';
import type { Config } from 'vega-lite';
import { attachData } from '../../../../src/shared/chart/attachData.ts';
import { escapeColumns } from '../../../../src/shared/chart/names.ts';
import { chartRows } from '../../../../src/shared/chart/rows.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';
import { compileChart } from '../../../../webview/chart/compile.ts';
import { drawView } from '../../../../webview/chart/drawView.ts';
import { isSingle, layOut } from '../../../../webview/chart/layout.ts';

// Colors of themes that are not hexadecimal are those of a pixel, which the browser tests check.
Object.assign(globalThis, {
  OffscreenCanvas: class {
    getContext = () => null;
  },
});
export const { readTheme } = await import('../../../../webview/chart/theme.ts');
export const { vegaConfig, vegaLocale } = await import('../../../../webview/chart/vegaConfig.ts');
Reflect.deleteProperty(globalThis, 'OffscreenCanvas');

export const variables = {
  foreground: '#eeeeee',
  descriptionForeground: '#888888',
  'editor-background': '#111111',
  'font-family': 'Georgia',
  'font-size': '14px',
  'charts-blue': '#0000a1',
  'charts-orange': '#0000a2',
  'charts-green': '#0000a3',
  'charts-purple': '#0000a4',
  'charts-red': '#0000a5',
  'charts-yellow': '#0000a6',
};

/** @returns what `readTheme` returns for variables of VS Code and a kind of theme */
export function themeOf(given: Readonly<Record<string, string>>, kind = 'vscode-dark', onWhite = false) {
  const getPropertyValue = (name: string): string => ` ${given[name.replace('--vscode-', '')] ?? ''}`;
  const page = {
    getComputedStyle: () => ({ getPropertyValue, fontFamily: 'Around' }),
    document: { body: { dataset: { vscodeThemeKind: kind }, className: 'vscode-dark' } },
  };
  Object.assign(globalThis, page);
  try {
    return readTheme({} as Element, onWhite);
  } finally {
    for (const name of Object.keys(page)) Reflect.deleteProperty(globalThis, name);
  }
}

export interface Item {
  items?: Item[];
  role?: string;
  marktype?: string;
  x: number;
  y: number;
  [property: string]: unknown;
}

/** Draws a chart as a card does. */
export async function draw(
  spec: object,
  table: ResultTable,
  { kind = 'vscode-dark', width = 400 } = {},
): Promise<{ view: View; items: (role: string) => Item[] }> {
  const own = attachData(escapeColumns(spec as Record<string, unknown>, table));
  const rows = chartRows(own, table);
  const view = await drawView(
    undefined,
    (fit) => {
      const layout = layOut(own, width, fit);
      const config = mergeConfig(vegaConfig(themeOf(variables, kind)), layout.config) as Config;
      return Promise.resolve(compileChart(layout.spec, config, rows, table));
    },
    { width, isSingle: isSingle(own), locale: {}, tooltip: () => undefined, onProblem: assert.fail },
  );
  const within = (scene: Item, role: string): Item[] =>
    (scene.items ?? []).flatMap((one) => [...(one.role === role ? (one.items ?? []) : []), ...within(one, role)]);
  const { root } = view.scenegraph() as unknown as { root: Item };
  return { view, items: (role) => within(root, role) };
}
