/** Third-party grammars, each loaded when SQL is first inserted into a file of its language. */
import type { Parser } from '@lezer/common';
import type { LRParser } from '@lezer/lr';

interface Grammar {
  /** VS Code language ids and file extensions. */
  names: RegExp;
  dialect?: string;
  load(): Promise<{ parser: Parser }>;
}

const javascript = (): Promise<{ parser: Parser }> => import('@lezer/javascript');

async function markdown(): Promise<{ parser: Parser }> {
  const { parser, GFM } = await import('@lezer/markdown');
  return { parser: parser.configure(GFM) };
}

const GRAMMARS: readonly Grammar[] = [
  { names: /^(typescript|[cm]?ts|vue|svelte)$/, dialect: 'ts', load: javascript },
  { names: /^(typescriptreact|tsx|astro)$/, dialect: 'ts jsx', load: javascript },
  { names: /^(javascript|javascriptreact|[cm]?jsx?|html?|xhtml)$/, dialect: 'jsx', load: javascript },
  { names: /^(python|pyi?)$/, load: () => import('@lezer/python') },
  { names: /^java$/, load: () => import('@lezer/java') },
  { names: /^go$/, load: () => import('@lezer/go') },
  { names: /^(rust|rs)$/, load: () => import('@lezer/rust') },
  { names: /^(markdown|md|mdx|[rq]md|rmarkdown|quarto)$/, load: markdown },
  { names: /^php$/, load: () => import('@lezer/php') },
];

const loaded = new Map<Grammar, Parser>();

function grammarFor(languageId: string, fileName: string): Grammar | undefined {
  const extension = /\.(\w+)$/.exec(fileName)?.[1] ?? '';
  const named = (name: string): Grammar | undefined => GRAMMARS.find(({ names }) => names.test(name.toLowerCase()));
  return named(languageId) ?? named(extension);
}

const keep = (grammar: Grammar, { parser }: { parser: Parser }): unknown =>
  loaded.set(
    grammar,
    grammar.dialect === undefined ? parser : (parser as LRParser).configure({ dialect: grammar.dialect }),
  );

/** Loads the grammar of a file, if there is one; `planInsertion` verifies its plans with it. */
export async function loadGrammar(languageId: string, fileName: string): Promise<void> {
  const grammar = grammarFor(languageId, fileName);
  if (grammar !== undefined && !loaded.has(grammar)) keep(grammar, await grammar.load());
}

/** Registers a parser for a language, for synchronous callers. */
export function useParser(language: string, parser: Parser): void {
  const grammar = grammarFor(language, '');
  if (grammar !== undefined) keep(grammar, { parser });
}

/** @returns the parser of a file; undefined if there is no grammar, or it is not loaded yet */
export const loadedParser = (languageId: string, fileName: string): Parser | undefined => {
  const grammar = grammarFor(languageId, fileName);
  return grammar && loaded.get(grammar);
};
