/** Formats values for answers. */
import type { Value } from '../data/client.ts';
import type { PlanColumn } from './plan.ts';

const monthNames = 'January February March April May June July August September October November December'.split(' ');

export function formatNumber(value: number, format: PlanColumn['format']): string {
  if (format === 'percent')
    return `${value < 0 ? '−' : ''}${Math.abs(value).toLocaleString('en-US', { maximumFractionDigits: 2 })} %`;
  const digits = Number.isInteger(value) || Math.abs(value) >= 10_000 ? 0 : 2;
  const text = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${value < 0 ? '−' : ''}${format === 'currency' ? '$' : ''}${text}`;
}

function formatTime(value: string, grain: string): string {
  const [year = '', month = '', day = ''] = value.slice(0, 10).split('-');
  const name = monthNames[Number(month) - 1] ?? month;
  if (grain === 'year') return year;
  if (grain === 'quarter') return `Q${Math.ceil(Number(month) / 3)} ${year}`;
  if (grain === 'month') return `${name} ${year}`;
  return `${grain === 'week' ? 'week of ' : ''}${Number(day)} ${name} ${year}`;
}

/** @returns the value as text for an answer */
export function formatValue(value: Value | undefined, column: PlanColumn): string {
  if (value === null || value === undefined)
    return column.role === 'dimension' ? `no ${column.title.toLowerCase()}` : '—';
  if (column.role === 'time') return formatTime(String(value), column.name);
  if (column.role === 'part' && column.name === 'month') return monthNames[Number(value) - 1] ?? String(value);
  if (column.role === 'part' && column.name === 'quarter') return `Q${value}`;
  if (column.role === 'part' && column.name === 'hour') return `${String(value).padStart(2, '0')}:00`;
  if (typeof value === 'number')
    return column.role === 'dimension' || column.role === 'part' ? String(value) : formatNumber(value, column.format);
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return formatTime(value, 'day');
  return String(value);
}

/** Escapes text from the data for Markdown. */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>|~]/g, '\\$&');

/** @returns a Markdown table */
export function markdownTable(columns: readonly PlanColumn[], rows: readonly (readonly Value[])[]): string {
  const isNumeric = ({ role }: PlanColumn): boolean => !['time', 'part', 'period', 'dimension'].includes(role);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const title = (text: string): string => escapeMarkdown(text.charAt(0).toUpperCase() + text.slice(1));
  return [
    line(columns.map((column) => title(column.title))),
    line(columns.map((column) => (isNumeric(column) ? '---:' : ':---'))),
    ...rows.map((row) => line(columns.map((column, index) => escapeMarkdown(formatValue(row[index], column))))),
  ].join('\n');
}
