import type { ResultTable } from '../wire/toolPayloads.ts';
import { isFields, type Fields } from './json.ts';
import { viewCount } from './units.ts';

/**
 * Members whose cost is linear in the rows whatever their values. A chart made of nothing else is drawn at once;
 * any other is tried first where it can be stopped.
 */
const linear = new Set(
  (
    'mark encoding layer data name title description width height view autosize padding config $schema transform ' +
    'type field aggregate timeUnit bin stack sort order axis legend header scale condition value datum test ' +
    'x y x2 y2 xOffset yOffset theta theta2 radius radius2 color fill stroke opacity fillOpacity strokeOpacity ' +
    'strokeWidth size shape detail key text tooltip angle latitude longitude row column facet spec columns spacing ' +
    'hconcat vconcat concat resolve point line filled interpolate tension orient align baseline dx dy fontSize ' +
    'fontWeight fontStyle innerRadius outerRadius padAngle cornerRadius cornerRadiusEnd cornerRadiusTopLeft ' +
    'cornerRadiusTopRight cornerRadiusBottomLeft cornerRadiusBottomRight invalid clip content ' +
    'labels labelAngle labelAlign labelBaseline labelPadding labelLimit labelFontSize labelOverlap labelFlush grid ' +
    'ticks domain titleFontSize titlePadding titleAlign titleAnchor anchor offset subtitle format zero scheme range ' +
    'paddingInner paddingOuter titleLimit direction symbolType symbolSize zindex op as groupby joinaggregate fields ' +
    'filter equal lt lte gt gte oneOf valid and or not thickness borders extent ticks median box rule ' +
    'independent shared tickSize strokeCap strokeJoin strokeDash gridDash gridOpacity cursor font limit rows ' +
    'constant exponent reverse round clamp nullable style parse maxbins tickCount'
  ).split(' '),
);
const linearTransforms = new Set(['aggregate', 'joinaggregate', 'filter', 'timeUnit', 'bin', 'stack']);
const plainText = 500;
const plainRowViews = 8_000;

/** @returns whether the chart is certain to be cheap, so that it needs no trial */
export function isPlain(spec: Fields, table: ResultTable): boolean {
  return table.rows.length * viewCount(spec) <= plainRowViews && isPlainNode(spec, '');
}

function isPlainNode(node: unknown, key: string): boolean {
  if (typeof node === 'number') return Math.abs(node) <= 5_000 || key === 'domain' || key === 'datum';
  if (typeof node === 'string') return node.length <= plainText && isPlainText(key);
  if (Array.isArray(node)) {
    if (node.length > 100) return false;
    return node.every((entry) => isPlainNode(entry, key) && (key !== 'transform' || isPlainTransform(entry)));
  }
  if (!isFields(node)) return true;
  return Object.entries(node).every(([name, value]) => linear.has(name) && isPlainMember(name, value));
}

function isPlainMember(name: string, value: unknown): boolean {
  if (name === 'data') return isFields(value) && Object.keys(value).every((key) => key === 'name' || key === 'format');
  if (name === 'tickCount') return typeof value === 'number' && value <= 100;
  if (name === 'maxbins') return typeof value === 'number' && value <= 200;
  // A condition, filter or bin given as text or with a step of its own is an expression or a generator.
  if (name === 'bin') return value === true || value === 'binned' || (isFields(value) && isPlainNode(value, name));
  return isPlainNode(value, name);
}

function isPlainText(key: string): boolean {
  return key !== 'filter' && key !== 'test';
}

function isPlainTransform(transform: unknown): boolean {
  return isFields(transform) && Object.keys(transform).some((key) => linearTransforms.has(key));
}
