/** Translated strings, for host and webview alike. The English text is the key. */
let bundle: Readonly<Record<string, string>> = {};
let rules = new Intl.PluralRules('en');

/**
 * Sets the strings of the display language; without any the English texts are shown.
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
 * @param text English text, with `{0}`, `{1}` … where the values go
 * @returns the text in the display language, with the values in place
 */
export function t(text: string, ...values: readonly (string | number)[]): string {
  return fill(translated(text), values);
}

/**
 * @param count what decides between singular and plural
 * @param text English singular and plural, `{0} row|{0} rows`. A translation has as many forms as its language has
 *   plural categories, in the order of CLDR (zero, one, two, few, many, other), or two where the rest are alike
 * @param values what goes into the text; the count itself when left out
 * @returns the form for the count, with the values in place
 */
export function plural(count: number, text: string, ...values: readonly (string | number)[]): string {
  const forms = translated(text).split('|');
  const category = rules.select(count);
  const categories = ORDER.filter((each) => rules.resolvedOptions().pluralCategories.includes(each));
  const index = forms.length === 2 ? Number(category !== 'one') : categories.indexOf(category);
  return fill(forms[index] ?? forms.at(-1) ?? '', values.length > 0 ? values : [count.toLocaleString()]);
}

const ORDER: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other'];
