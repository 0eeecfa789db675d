import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import type { ChartTheme } from './theme.ts';

export interface ChartInput {
  /** Vega-Lite specification, JSON text. */
  spec: string;
  table: ResultTable;
  title: string;
}
export interface ChartOptions {
  theme: ChartTheme;
  /** Told, in sentences for the user, what the chart does not show. */
  onNotice(text: string): void;
}
export type Background = 'theme' | 'white';

export interface ChartHandle {
  /** What the chart shows, in words; the container's name is made of it. */
  readonly altText: string;
  setTheme(theme: ChartTheme): Promise<void>;
  /** Fits the chart to its container; called by itself when the container's width changes. */
  resize(): Promise<void>;
  /** @returns SVG text */
  toSvg(background: Background): Promise<string>;
  /**
   * @param scale pixels of the picture per pixel of the page
   * @returns a PNG file, base64; of fewer pixels, or empty, where a canvas cannot hold it
   */
  toPng(background: Background, scale: number): Promise<string>;
  dispose(): void;
}
