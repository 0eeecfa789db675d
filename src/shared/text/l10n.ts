/** Localized strings for the host and the webviews. The English text is the key. */
let bundle: Readonly<Record<string, string>> = {};
let rules = new Intl.PluralRules('en');

/**
 * Sets the strings of the display language; if empty, the English texts are used.
 * @param language the display language, as a BCP 47 tag
 */
export function useBundle(strings: Readonly<Record<string, string>>, language: string): void {
  bundle = strings;
  rules = new Intl.PluralRules(Object.keys(strings).length === 0 ? 'en' : language);
}

const translated = (text: string): string => (Object.hasOwn(bundle, text) ? (bundle[text] ?? text) : text);

const fill = (text: string, values: readonly (string | number)[]): string =>
  text.replace(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));

/**
 * @param text English text with placeholders `{0}`, `{1}` …
 * @returns the text in the display language, with the values inserted
 */
export function t(text: string, ...values: readonly (string | number)[]): string {
  return fill(translated(text), values);
}

/**
 * @param count the number that selects the plural form
 * @param text English singular and plural, `{0} row|{0} rows`. A translation has one form for each plural category of
 * its language, in CLDR order (zero, one, two, few, many, other), or two if all categories but `one` share a form
 * @param values values of the placeholders; defaults to the count
 * @returns the form for the count, with the values inserted
 */
export function plural(count: number, text: string, ...values: readonly (string | number)[]): string {
  const forms = translated(text).split('|');
  const category = rules.select(count);
  const index = forms.length === 2 ? Number(category !== 'one') : categories().indexOf(category);
  return fill(forms[index] ?? forms.at(-1) ?? '', values.length > 0 ? values : [count.toLocaleString()]);
}

/** @returns the plural categories of the display language, in CLDR order */
function categories(): Intl.LDMLPluralRule[] {
  const { pluralCategories } = rules.resolvedOptions();
  return ORDER.filter((each) => pluralCategories.includes(each));
}

const ORDER: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other'];

/** @returns the names in quotation marks, separated by commas */
export const quotedNames = (names: readonly string[]): string => names.map((name) => t('“{0}”', name)).join(', ');
