/** The lazily loaded chart chunk. */
export { ChartProblem } from '../../src/shared/chart/limits.ts';
export { drawChart, type Background, type ChartHandle, type ChartInput, type ChartOptions } from './chart.ts';
export { readTheme, type ChartTheme } from './theme.ts';
