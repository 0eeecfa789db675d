/** Third-party grammars, each loaded when SQL is first inserted into a file of its language. */
import type { Parser, Tree, TreeFragment } from '@lezer/common';
import type { LRParser } from '@lezer/lr';

/** Parses a program, incrementally if fragments of an earlier tree are known. */
export interface ProgramParser {
  parse(text: string, fragments?: readonly TreeFragment[]): Tree;
}

interface Grammar {
  /** VS Code language ids and file extensions. */
  names: RegExp;
  dialect?: string;
  /** Matches words that the grammar misreads; underscores replace them before parsing. */
  misread?: RegExp;
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
  // The grammar expects no end of a statement after these words.
  { names: /^go$/, misread: /\b(?:true|false)$/gm, load: () => import('@lezer/go') },
  { names: /^(rust|rs)$/, load: () => import('@lezer/rust') },
  { names: /^(markdown|md|mdx|[rq]md|rmarkdown|quarto)$/, load: markdown },
  // `new` as the name of a method.
  { names: /^php$/, misread: /(?<=::|->|\bfunction )new\b/g, load: () => import('@lezer/php') },
];

const loaded = new Map<Grammar, ProgramParser>();

function grammarFor(languageId: string, fileName: string): Grammar | undefined {
  const extension = /\.(\w+)$/.exec(fileName)?.[1] ?? '';
  const named = (name: string): Grammar | undefined => GRAMMARS.find(({ names }) => names.test(name.toLowerCase()));
  return named(languageId) ?? named(extension);
}

function keep(grammar: Grammar, { parser }: { parser: Parser }): void {
  const { dialect, misread } = grammar;
  const own = dialect === undefined ? parser : (parser as LRParser).configure({ dialect });
  // With a reused subtree, such a grammar can't tell whether the last word ends a statement.
  const parse = (text: string): Tree => own.parse(text.replace(misread ?? /$^/, (word) => '_'.repeat(word.length)));
  loaded.set(grammar, misread ? { parse } : own);
}

/** Loads the grammar of a file, if there is one; `planInsertion` verifies its plans with it. */
export async function loadGrammar(languageId: string, fileName: string): Promise<void> {
  const grammar = grammarFor(languageId, fileName);
  if (grammar !== undefined && !loaded.has(grammar)) keep(grammar, await grammar.load());
}

export function useParser(language: string, parser: Parser): void {
  const grammar = grammarFor(language, '');
  if (grammar !== undefined) keep(grammar, { parser });
}

/** @returns the parser of a file; undefined if there is no grammar, or it is not loaded yet */
export const loadedParser = (languageId: string, fileName: string): ProgramParser | undefined => {
  const grammar = grammarFor(languageId, fileName);
  return grammar && loaded.get(grammar);
};
