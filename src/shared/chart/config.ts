import { isFields, type Fields } from './json.ts';

/** Parts of a specification's `config` that shape a chart without taking it out of the theme. */
const honored = new Set(
  (
    'arc area bar boxplot circle concat countTitle errorband errorbar facet fieldTitle geoshape image invalidValues ' +
    'legend line locale mark numberFormat normalizedNumberFormat point projection range rect rule scale selection ' +
    'square style text tick timeFormat title trail view'
  ).split(' '),
);

/** The theme sets the colors of axes, legends and titles; the author those of marks. */
const furniture = /^(axis|legend|header|title|view)/;
const color = /(color|fill|stroke|background|font)$/i;

/**
 * @returns the part of `config` to keep: sizes, formats, mark styles and ranges, but not background, fonts and text
 * colors, which may be unreadable in some themes, and no event settings
 */
export function boundConfig(config: unknown): Fields {
  if (!isFields(config)) return {};
  const kept = Object.entries(config).filter(([key]) => honored.has(key) || /^(axis|header)/.test(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, furniture.test(key) ? withoutColors(value) : value]));
}

function withoutColors(value: unknown): unknown {
  if (!isFields(value)) return value;
  // A null stroke removes the frame, which is not a color.
  return Object.fromEntries(Object.entries(value).filter(([key, member]) => !color.test(key) || member === null));
}
