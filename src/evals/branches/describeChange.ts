/** Describes a difference briefly: `11 of 12 rows changed, −8.2 %`. */
import { plural, t } from '../../shared/text/l10n.ts';
import type { Difference } from '../grading/grade.ts';

/** @returns what changed from the left (expected) to the right (actual) result */
export function describeChange({ counts, missingColumns, totalChange }: Difference): string {
  const { same, changed, missing, unexpected } = counts;
  const before = same + changed + missing;
  const parts = [
    missingColumns.length > 0 ? t('no column like {0}', missingColumns.map((name) => `“${name}”`).join(', ')) : '',
    changed > 0 ? plural(before, '{0} of {1} row changed|{0} of {1} rows changed', changed, before) : '',
    unexpected > 0 ? plural(unexpected, '{0} row added|{0} rows added') : '',
    missing > 0 ? plural(missing, '{0} row removed|{0} rows removed') : '',
    percentText(totalChange),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** @param percent with two decimals, such as `-8.25`; a smaller change is omitted */
function percentText(percent: string | undefined): string {
  if (percent === undefined || Number(percent) === 0) return '';
  const size = Math.abs(Number(percent));
  const digits = size.toLocaleString(undefined, { maximumFractionDigits: size < 1 ? 2 : 1 });
  return t('{0} %', `${percent.startsWith('-') ? '−' : '+'}${digits}`);
}
