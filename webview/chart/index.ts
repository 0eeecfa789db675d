/** The lazily loaded chart chunk. */
import { ChartProblem } from '../../src/shared/chart/problem.ts';
import { Chart } from './chart.ts';
import type { ChartHandle, ChartInput, ChartOptions } from './types.ts';

export { ChartProblem };
export { readTheme, type ChartTheme } from './theme.ts';
export type { Background, ChartHandle, ChartInput, ChartOptions } from './types.ts';

/**
 * Draws a chart into `container`, which gets the role of an image and its name.
 * @returns a handle, once the chart is there
 * @throws ChartProblem when the specification is not one, or asks for what is never done or takes too long; the
 * container is then as it was
 */
export async function drawChart(
  container: HTMLElement,
  input: ChartInput,
  options: ChartOptions,
): Promise<ChartHandle> {
  const chart = new Chart(container, input, options);
  try {
    await chart.start();
    return chart;
  } catch (error) {
    chart.dispose();
    throw error;
  }
}
