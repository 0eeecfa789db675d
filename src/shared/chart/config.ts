import { isFields, type Fields } from './json.ts';

/** Parts of a specification's `config` that shape a chart without taking it out of the theme. */
const honoured = new Set(
  (
    'arc area axis axisX axisY axisLeft axisRight axisTop axisBottom axisBand axisDiscrete axisPoint axisQuantitative ' +
    'axisTemporal axisXBand axisXDiscrete axisXPoint axisXQuantitative axisXTemporal axisYBand axisYDiscrete axisYPoint ' +
    'axisYQuantitative axisYTemporal bar boxplot circle concat countTitle errorband errorbar facet fieldTitle geoshape ' +
    'header headerColumn headerFacet headerRow image invalidValues legend line locale mark numberFormat normalizedNumberFormat ' +
    'point projection range rect rule scale selection square style text tick timeFormat title trail view'
  ).split(' '),
);

/** Colours of the furniture belong to the theme; those of marks are the author's. */
const furniture = /^(axis|legend|header|title|view)/;
const colour = /(color|fill|stroke|background|font)$/i;

/**
 * @returns what is kept of a specification's `config`: sizes, formats, mark styles, ranges; never its background,
 * fonts and text colours, which would be unreadable in some themes, and never event settings
 */
export function boundConfig(config: unknown): Fields {
  if (!isFields(config)) return {};
  const kept = Object.entries(config).filter(([key]) => honoured.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, furniture.test(key) ? withoutColours(value) : value]));
}

function withoutColours(value: unknown): unknown {
  if (!isFields(value)) return value;
  // A stroke of null takes the frame away; that is a shape, not a colour.
  return Object.fromEntries(Object.entries(value).filter(([key, member]) => !colour.test(key) || member === null));
}
