/** The colors and fonts of charts, read from VS Code's theme. Colors are resolved CSS colors. */
export interface ChartTheme {
  dark: boolean;
  highContrast: boolean;
  fontFamily: string;
  fontSize: number;
  foreground: string;
  muted: string;
  grid: string;
  /** Background of exported pictures; in the view, charts are transparent. */
  background: string;
  /** Colors of marks in the order in which they are used. */
  palette: readonly string[];
}

/** A theme color: its CSS variable, and the fallbacks for dark and light themes that don't define it. */
type Wanted = readonly [variable: string, dark: string, light: string];

const wanted = {
  foreground: ['foreground', '#cccccc', '#3b3b3b'],
  muted: ['descriptionForeground', '#9d9d9d', '#616161'],
  background: ['editor-background', '#1f1f1f', '#ffffff'],
} satisfies Record<string, Wanted>;

const paletteWanted: readonly Wanted[] = [
  ['charts-blue', '#59a4f9', '#1a85ff'],
  ['charts-orange', '#d18616', '#d18616'],
  ['charts-green', '#89d185', '#388a34'],
  ['charts-purple', '#b180d7', '#652d90'],
  ['charts-red', '#f14c4c', '#e51400'],
  ['charts-yellow', '#cca700', '#bf8803'],
];

/**
 * Reads the `--vscode-*` variables, and the theme kind that VS Code sets on `body`.
 * @param onWhite whether to return the colors for an exported picture on white instead
 */
export function readTheme(element: Element, onWhite = false): ChartTheme {
  const style = getComputedStyle(element);
  const variable = (name: string): string => style.getPropertyValue(`--vscode-${name}`).trim();
  const kind = document.body.dataset.vscodeThemeKind ?? document.body.className;
  const highContrast = !onWhite && kind.includes('high-contrast');
  const dark = !onWhite && !/light/.test(kind);
  const color = ([name, ...fallback]: Wanted): string =>
    (onWhite ? '' : solid(variable(name))) || fallback[dark ? 0 : 1];
  const foreground = color(wanted.foreground);
  const background = color(wanted.background);
  const base = paletteWanted.map(color);
  return {
    foreground,
    background,
    dark,
    highContrast,
    muted: color(wanted.muted),
    grid: mix(background, foreground, highContrast ? 0.35 : 0.12),
    fontFamily: variable('font-family') || style.fontFamily || 'sans-serif',
    fontSize: Number.parseFloat(variable('font-size')) || 13,
    palette: [...base, ...base.map((one) => mix(one, foreground, 0.45))],
  };
}

/** @returns the color at `part` of the way from the first to the second */
export function mix(from: string, to: string, part: number): string {
  const b = channels(to);
  const mixed = channels(from).map((value, index) => Math.round(value + ((b[index] ?? value) - value) * part));
  return hexOf(mixed);
}

const hexOf = (rgb: readonly number[]): string => `#${rgb.map((one) => one.toString(16).padStart(2, '0')).join('')}`;
const channels = (hex: string): number[] => [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));

const pen = new OffscreenCanvas(1, 1).getContext('2d');

/** @returns the color in opaque hexadecimal form; empty if the text is not a color, or the color is transparent */
function solid(value: string): string {
  if (!pen || /^#[\da-f]{6}$/i.test(value)) return value;
  pen.clearRect(0, 0, 1, 1);
  pen.fillStyle = 'transparent';
  pen.fillStyle = value;
  pen.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = pen.getImageData(0, 0, 1, 1).data;
  return alpha === 0 ? '' : hexOf([red, green, blue]);
}
