/** The colors and fonts of charts, read from VS Code's theme. Colors are resolved CSS colors. */
export interface ChartTheme {
  dark: boolean;
  highContrast: boolean;
  fontFamily: string;
  /** Pixels. */
  fontSize: number;
  foreground: string;
  /** Color of axis labels and legends. */
  muted: string;
  /** Color of grid lines. */
  grid: string;
  /** Background of exported pictures; in the view, charts are transparent. */
  background: string;
  tooltipBackground: string;
  tooltipForeground: string;
  tooltipBorder: string;
  /** Colors of marks, in order of use. */
  palette: readonly string[];
}

interface Wanted {
  variables: readonly string[];
  dark: string;
  light: string;
}

/** For each color: theme variables in order of preference, and a fallback. */
const wanted = {
  foreground: { variables: ['--vscode-foreground', '--vscode-editor-foreground'], dark: '#cccccc', light: '#3b3b3b' },
  muted: { variables: ['--vscode-descriptionForeground'], dark: '#9d9d9d', light: '#616161' },
  background: { variables: ['--vscode-editor-background'], dark: '#1f1f1f', light: '#ffffff' },
  tooltipBackground: { variables: ['--vscode-editorHoverWidget-background'], dark: '#202020', light: '#f8f8f8' },
  tooltipForeground: { variables: ['--vscode-editorHoverWidget-foreground'], dark: '#cccccc', light: '#3b3b3b' },
  tooltipBorder: { variables: ['--vscode-editorHoverWidget-border'], dark: '#454545', light: '#c8c8c8' },
} satisfies Record<string, Wanted>;

const paletteWanted: readonly Wanted[] = [
  { variables: ['--vscode-charts-blue'], dark: '#59a4f9', light: '#1a85ff' },
  { variables: ['--vscode-charts-orange'], dark: '#d18616', light: '#d18616' },
  { variables: ['--vscode-charts-green'], dark: '#89d185', light: '#388a34' },
  { variables: ['--vscode-charts-purple'], dark: '#b180d7', light: '#652d90' },
  { variables: ['--vscode-charts-red'], dark: '#f14c4c', light: '#e51400' },
  { variables: ['--vscode-charts-yellow'], dark: '#cca700', light: '#bf8803' },
];

/**
 * Reads the theme at an element: the `--vscode-*` variables and the theme kind on `body`, as VS Code sets them in every
 * webview.
 */
export function readTheme(element: Element): ChartTheme {
  const style = getComputedStyle(element);
  const kind = document.body.dataset.vscodeThemeKind ?? document.body.className;
  const highContrast = kind.includes('high-contrast');
  const dark = !/light/.test(kind);
  const resolve = resolver(element);
  const color = ({ variables, ...fallback }: Wanted): string => {
    const found = variables.map((name) => style.getPropertyValue(name).trim()).find((value) => value !== '');
    return resolve(found ?? '') || (dark ? fallback.dark : fallback.light);
  };
  const colors = Object.fromEntries(Object.entries(wanted).map(([name, want]) => [name, color(want)]));
  const named = colors as Record<keyof typeof wanted, string>;
  const base = paletteWanted.map(color);
  return {
    ...named,
    dark,
    highContrast,
    muted: highContrast ? named.foreground : named.muted,
    grid: mix(named.background, named.foreground, highContrast ? 0.35 : 0.12),
    fontFamily: style.getPropertyValue('--vscode-font-family').trim() || style.fontFamily || 'sans-serif',
    fontSize: Number.parseFloat(style.getPropertyValue('--vscode-font-size')) || 13,
    palette: [...base, ...base.map((one) => mix(one, named.foreground, 0.45))],
  };
}

/** Theme of exported pictures on white: the same shapes and hues, readable on white. */
export function onWhite(theme: ChartTheme): ChartTheme {
  const palette = theme.palette.map((_, index) => {
    const base = paletteWanted[index % paletteWanted.length]?.light ?? '#1a85ff';
    return index < paletteWanted.length ? base : mix(base, '#ffffff', 0.4);
  });
  const light = Object.fromEntries(Object.entries(wanted).map(([name, want]) => [name, want.light]));
  return {
    ...theme,
    ...(light as Record<keyof typeof wanted, string>),
    dark: false,
    highContrast: false,
    background: '#ffffff',
    grid: '#e5e5e5',
    palette,
  };
}

/** @returns the color at `part` of the way from the first to the second */
export function mix(from: string, to: string, part: number): string {
  const [a, b] = [channels(from), channels(to)];
  const mixed = a.map((value, index) => Math.round(value + ((b[index] ?? value) - value) * part));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channels(color: string): number[] {
  const hex = /^#([\da-f]{3,8})$/i.exec(color.trim())?.[1];
  if (hex === undefined) return (color.match(/[\d.]+/g) ?? ['128', '128', '128']).slice(0, 3).map(Number);
  const long = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex;
  return [0, 2, 4].map((start) => Number.parseInt(long.slice(start, start + 2), 16));
}

/** Lets the browser compute a color, which converts any syntax to `rgb()`. */
function resolver(element: Element): (value: string) => string {
  return (value) => {
    if (value === '' || /^#[\da-f]{6}$/i.test(value)) return value;
    const probe = document.createElement('span');
    probe.style.color = value;
    if (probe.style.color === '') return '';
    element.append(probe);
    const computed = getComputedStyle(probe).color;
    probe.remove();
    return /^rgba?\(/.test(computed) ? solid(computed) : '';
  };
}

function solid(computed: string): string {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (computed.match(/[\d.]+/g) ?? []).map(Number);
  return alpha === 0 ? '' : mix(`rgb(${red}, ${green}, ${blue})`, `rgb(${red}, ${green}, ${blue})`, 0);
}
