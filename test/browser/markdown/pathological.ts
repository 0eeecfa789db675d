/** Markdown that is known to slow parsers down, with a given length. */
const repeat = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length));

export const pathological: Record<string, (length: number) => string> = {
  'asterisks in a row': (length) => repeat('*', length),
  'emphasis that only opens': (length) => repeat('*a ', length),
  'emphasis that only closes': (length) => repeat('a* ', length),
  'strong in emphasis': (length) => repeat('*a **b ', length),
  'mixed markers': (length) => repeat('a**b_c~~d', length),
  'tildes in a row': (length) => repeat('~', length),
  'underscores between letters': (length) => repeat('a_', length),
  'brackets that open': (length) => repeat('[', length),
  'brackets that open and close': (length) => repeat('[', length / 2) + repeat(']', length / 2),
  'links that never end': (length) => repeat('[a](', length),
  'links in angle brackets that never end': (length) => repeat('[a](<b', length),
  'images in images': (length) => repeat('![', length),
  'references to nothing': (length) => repeat('[a][b]', length),
  definitions: (length) => repeat('[a]: u\n', length),
  'definitions whose titles never end': (length) => repeat('[a]: u "\n', length),
  'backticks in a row': (length) => repeat('`', length),
  'backticks in runs of growing length': (length) => {
    let text = '';
    for (let run = 1; text.length < length; run++) text += `e${'`'.repeat(run)}`;
    return text;
  },
  'angle brackets': (length) => repeat('<', length),
  'comments that never end': (length) => repeat('<!-- ', length),
  ampersands: (length) => repeat('&', length),
  entities: (length) => repeat('&#x', length),
  backslashes: (length) => repeat('\\', length),
  'quotes in quotes': (length) => `${repeat('> ', length)}a`,
  'quotes in a row': (length) => repeat('>', length),
  'lists in lists': (length) => `${repeat('- ', length)}a`,
  'lists of growing depth': (length) => {
    let text = '';
    for (let depth = 0; text.length < length; depth++) text += `${'  '.repeat(depth)}- a\n`;
    return text;
  },
  'pipes in a row': (length) => repeat('|', length),
  'a table of many columns': (length) => `${repeat('|a', length / 2)}|\n${repeat('|-', length / 2)}|\n`,
  'a table of empty rows': (length) => `${repeat('|a', 64)}|\n${repeat('|-', 64)}|\n${repeat('|\n', length / 16)}`,
  'lines that may be a table': (length) => repeat('a | b\n', length),
  'one paragraph of many lines': (length) => repeat('some words and more\n', length),
  addresses: (length) => repeat('https://a.b/c ', length),
  'an address without end': (length) => `https://${repeat('a.', length)}`,
  'an address of parentheses': (length) => `https://a.b/${repeat('(', length)}`,
  'mail addresses': (length) => repeat('a@b.', length),
  'dashes under text': (length) => repeat('a\n-', length),
  'fences in a row': (length) => repeat('```\n', length),
  'one long line of code': (length) => `\`\`\`sql\n${repeat("select 'a' || ", length)}`,
  'quotes in code': (length) => `\`\`\`sql\n${repeat("'\n", length)}`,
  'brackets in JSON': (length) => `\`\`\`json\n${repeat('[', length)}`,
  'YAML colons': (length) => `\`\`\`yaml\n${repeat('a: ', length)}`,
  'blank lines': (length) => `a${repeat('\n', length)}b`,
  spaces: (length) => `a${repeat(' ', length)}b`,
  tabs: (length) => `-${repeat('\t', length)}b`,
  NULs: (length) => repeat('\0', length),
};
