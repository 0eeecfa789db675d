/** The filter panel of a column and the dialog with the value of a cell. */
import { cellText, isNull, type TypedColumn } from '../../src/shared/results/cells.ts';
import {
  conditionsFor,
  matcherFor,
  withTypedOperator,
  type ColumnFilter,
  type FilterCondition,
} from '../../src/shared/results/filter.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { laidOut } from '../../src/shared/text/jsonText.ts';
import { openPopup, type Anchor } from '../menu/menu.ts';
import { element, isComposing } from '../ui/dom.ts';
import { iconButton } from './columns/headerElements.ts';

/** Milliseconds after the last input until the filter is applied. */
const PAUSE = 120;

const withoutValue: readonly FilterCondition[] = ['empty', 'notEmpty'];

/**
 * Opens a popup that edits a column's filter and applies it while the user types.
 * @param filter the current filter, if any
 * @param apply called with the entered filter; `undefined` if it is incomplete or invalid
 * @param returnFocus called if the panel has the focus when it closes
 */
export function openFilterPanel(
  host: HTMLElement,
  anchor: Anchor,
  column: TypedColumn,
  filter: ColumnFilter | undefined,
  apply: (filter: ColumnFilter | undefined) => void,
  returnFocus: () => void,
): void {
  const panel = element('div', 'grid-filter');
  panel.role = 'dialog';
  panel.ariaLabel = t('Filter {0}', column.name);
  const condition = element('select', 'grid-select');
  condition.ariaLabel = t('Condition');
  const labels = conditionLabels();
  for (const name of conditionsFor(column.kind)) condition.add(new Option(labels[name], name));
  condition.value = filter?.condition ?? (column.kind === 'number' ? 'equals' : 'contains');
  const value = textInput(t('Value'), filter?.value);
  const to = textInput(t('Up to'), filter?.to);
  const clear = element('button', 'grid-button', t('Remove Filter'));
  clear.type = 'button';
  const problem = element('p', 'grid-problem');
  problem.role = 'alert';
  clear.hidden = filter === undefined;
  panel.append(condition, value, to, problem, clear);

  const fails = (field: HTMLInputElement, alone: ColumnFilter): boolean =>
    !field.hidden && field.value.trim() !== '' && matcherFor(column.kind, alone) === undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const applyNow = (): void => {
    clearTimeout(timer);
    const fields = { condition: condition.value as FilterCondition, value: value.value, to: to.value };
    const typed = withTypedOperator(column.kind, fields);
    const works = matcherFor(column.kind, typed) !== undefined;
    const valueFails = fails(value, { ...typed, to: '' });
    const toFails = fails(to, { ...typed, value: '' });
    value.ariaInvalid = String(valueFails);
    to.ariaInvalid = String(toFails);
    problem.textContent = valueFails || toFails ? expectedText(column) : '';
    clear.hidden = !works;
    apply(works ? typed : undefined);
  };
  const showInputs = (): void => {
    value.hidden = withoutValue.includes(condition.value as FilterCondition);
    to.hidden = condition.value !== 'between';
  };
  const changed = (): void => {
    showInputs();
    clearTimeout(timer);
    timer = setTimeout(applyNow, PAUSE);
  };
  const close = openPopup(host, panel, anchor, returnFocus);
  panel.addEventListener('input', changed);
  panel.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key !== 'Enter' || isComposing(event) || event.target === clear) return;
    applyNow();
    if (problem.textContent === '') close();
  });
  clear.addEventListener('click', () => {
    // First: the button is hidden without a filter, and would lose the focus.
    close();
    value.value = to.value = '';
    condition.selectedIndex = 0;
    applyNow();
  });
  showInputs();
  (value.hidden ? condition : value).focus();
}

const expectedText = ({ kind }: TypedColumn): string =>
  kind === 'number' ? t('Enter a number.') : t('Enter a date, for example 2024-01-31.');

function textInput(label: string, text = ''): HTMLInputElement {
  const input = element('input', 'grid-input');
  input.type = 'text';
  input.ariaLabel = label;
  input.placeholder = label;
  input.spellcheck = false;
  input.value = text;
  return input;
}

function conditionLabels(): Record<FilterCondition, string> {
  return {
    contains: t('contains'),
    equals: t('equals'),
    differs: t('does not equal'),
    greater: t('is greater than'),
    atLeast: t('is at least'),
    less: t('is less than'),
    atMost: t('is at most'),
    between: t('is between'),
    empty: t('is empty'),
    notEmpty: t('is not empty'),
  };
}

/**
 * Opens a dialog with the full value of a cell; JSON is formatted.
 * @param title accessible name and heading
 * @param copy called with the exact text of the cell
 * @param closed called after the dialog has closed
 */
export function openDetails(
  host: HTMLElement,
  title: string,
  cell: unknown,
  copy: (text: string) => void,
  closed: () => void,
): void {
  const dialog = element('dialog', 'grid-details');
  dialog.ariaLabel = title;
  const bar = element('div', 'grid-details-bar');
  const copyButton = iconButton('copy', t('Copy value'));
  copyButton.addEventListener('click', () => copy(cellText(cell)));
  const closeButton = iconButton('close', t('Close'));
  closeButton.addEventListener('click', () => dialog.close());
  bar.append(element('span', 'grid-details-title', title), copyButton, closeButton);
  const value = element('pre', 'grid-details-value', isNull(cell) ? 'NULL' : laidOut(cellText(cell)));
  value.classList.toggle('is-null', isNull(cell));
  value.tabIndex = 0;
  value.role = 'region';
  value.ariaLabel = title;
  dialog.append(bar, value);
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  // Not `click`: text that is selected by dragging may end beside the dialog.
  dialog.addEventListener('mousedown', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    closed();
  });
  host.append(dialog);
  dialog.showModal();
  value.focus();
}
