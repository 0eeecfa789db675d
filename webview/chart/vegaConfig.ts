/** The look of charts, and Vega’s locale. */
import type { Config } from 'vega-lite';
import { outlineStyle } from '../../src/shared/chart/attachData.ts';
import type { Fields } from '../../src/shared/text/checks.ts';
import { tooltipNumber } from './exactNumbers.ts';
import { mix, type ChartTheme } from './theme.ts';

/** The Vega-Lite configuration for the look of VS Code. */
export function vegaConfig(theme: ChartTheme): Config {
  const { foreground, muted, grid, palette, fontFamily: font } = theme;
  const [blue = foreground, , , , red = foreground] = palette;
  const size = Math.max(10, Math.min(theme.fontSize - 2, 16));
  const text = { labelFont: font, titleFont: font, labelFontSize: size, titleFontSize: size };
  const quiet = { labelColor: muted, titleColor: muted, titleFontWeight: 'normal' as const };
  const outline = theme.highContrast ? { stroke: foreground, strokeWidth: 1 } : {};
  const faint = mix(theme.background, blue, theme.dark ? 0.22 : 0.15);
  return {
    aria: false,
    background: 'transparent',
    font,
    padding: { left: 4, right: 10, top: 6, bottom: 4 },
    view: { stroke: null, continuousHeight: 240, continuousWidth: 320, discreteHeight: { step: 22 } },
    axis: {
      ...text,
      ...quiet,
      domain: false,
      ticks: false,
      gridColor: grid,
      gridWidth: 1,
      domainColor: grid,
      tickColor: grid,
      labelPadding: 6,
      titlePadding: 8,
      labelSeparation: 6,
    },
    axisDiscrete: { grid: false, domain: true },
    axisTemporal: { grid: false, domain: true },
    axisXQuantitative: { grid: true },
    // The first and the last label are at their ticks.
    axisX: { labelFlush: false },
    axisXDiscrete: { labelOverlap: 'parity' },
    axisYDiscrete: { labelOverlap: 'parity', labelSeparation: 0 },
    legend: {
      ...text,
      ...quiet,
      symbolSize: 60,
      symbolStrokeWidth: 1.5,
      rowPadding: 3,
      gradientThickness: 8,
      symbolBaseFillColor: muted,
      symbolBaseStrokeColor: muted,
    },
    header: { ...text, labelColor: foreground, titleColor: muted, titleFontWeight: 'normal', labelPadding: 4 },
    title: {
      color: foreground,
      subtitleColor: muted,
      font,
      subtitleFont: font,
      fontSize: size + 1,
      subtitleFontSize: size,
      fontWeight: 600,
      anchor: 'start',
      frame: 'bounds',
      offset: 10,
    },
    range: {
      category: [...palette],
      // A scheme is interpolated; a list of colors would be repeated.
      ordinal: { scheme: [faint, blue] },
      ramp: [faint, blue],
      heatmap: [faint, blue],
      diverging: [red, mix(theme.background, foreground, 0.15), blue],
    },
    tooltipFormat: { numberFormat: tooltipNumber },
    mark: { color: blue, tooltip: { content: 'encoding' } },
    // The gaps of a pixel between the bars of days would leave nothing of them.
    bar: { ...outline, minBandSize: 2 },
    area: { fillOpacity: theme.highContrast ? 0.6 : 0.35, line: { strokeWidth: 2 } },
    line: { strokeWidth: 2, strokeCap: 'round', strokeJoin: 'round' },
    point: { size: 40, strokeWidth: 1.5, filled: true, fillOpacity: 0.75 },
    circle: { size: 40, opacity: 0.75 },
    square: { size: 40, opacity: 0.75 },
    arc: { stroke: theme.background, strokeWidth: 1 },
    rect: outline,
    rule: { color: muted },
    text: { color: foreground, font, fontSize: size },
    tick: { thickness: 1.5 },
    geoshape: { fill: mix(theme.background, foreground, 0.18), stroke: theme.background, strokeWidth: 0.5 },
    style: { [outlineStyle]: { color: mix(theme.background, foreground, 0.45), strokeWidth: 1 } },
    boxplot: { median: { color: theme.background, strokeWidth: 2 }, box: { fillOpacity: 0.9 }, ticks: false },
    errorband: { band: { opacity: 0.25 } },
  } as Config;
}

const day = 86_400_000;
/** A Sunday, in UTC. */
const sunday = Date.UTC(2023, 0, 1);

const known = new Map<string, Fields>();

/** Vega's number and time locale, derived from the browser's `Intl`. */
export function vegaLocale(language: string): Fields {
  // Vega's default is English, and querying `Intl` takes longer than drawing a small chart.
  if (/^en(-US)?$/.test(language)) return {};
  const locale = known.get(language) ?? makeLocale(language);
  known.set(language, locale);
  return locale;
}

function makeLocale(language: string): Fields {
  const parts = new Intl.NumberFormat(language).formatToParts(-1_234_567.5);
  const part = (type: string, fallback: string): string => parts.find((one) => one.type === type)?.value ?? fallback;
  const names = (options: Intl.DateTimeFormatOptions, count: number, at: (index: number) => number): string[] => {
    const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options });
    return Array.from({ length: count }, (_, index) => format.format(at(index)));
  };
  const weekday = (index: number): number => sunday + index * day;
  const month = (index: number): number => Date.UTC(2023, index, 15);
  return {
    number: { decimal: part('decimal', '.'), thousands: part('group', ','), grouping: [3], currency: ['$', ''] },
    time: {
      dateTime: '%x, %X',
      date: '%Y-%m-%d',
      time: '%H:%M:%S',
      periods: ['AM', 'PM'],
      days: names({ weekday: 'long' }, 7, weekday),
      shortDays: names({ weekday: 'short' }, 7, weekday),
      months: names({ month: 'long' }, 12, month),
      shortMonths: names({ month: 'short' }, 12, month),
    },
  };
}
