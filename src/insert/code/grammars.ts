/** Third-party grammars, each loaded when SQL is first inserted into a file of its language. */
import type { Parser, Tree, TreeFragment } from '@lezer/common';
import type { LRParser } from '@lezer/lr';
import type { SourceDocument } from '../types.ts';

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
  /** Whether it parses masked text incrementally; with a reused subtree, others can't tell what ends a statement. */
  reuses?: boolean;
  /** File extensions of the languages in its fenced blocks. */
  inner?: readonly string[];
  load(): Promise<{ parser: Parser }>;
}

const javascript = (): Promise<{ parser: Parser }> => import('@lezer/javascript');

/** Blocks of Markdown that MDX doesn't have: its elements are JSX, and may contain indented Markdown. */
export const NOT_IN_MDX = ['HTMLBlock', 'IndentedCode'];

const FENCED = { inner: ['py', 'js', 'ts', 'tsx'] };

async function markdown(remove: readonly string[]): Promise<{ parser: Parser }> {
  const { parser, GFM } = await import('@lezer/markdown');
  return { parser: parser.configure([GFM, { remove }]) };
}

/** Masks what the grammar doesn't accept: the question mark in a tuple type, `[a?: string]`, and the type of an error. */
const TYPESCRIPT = {
  misread: /(?<=\w)\?(?=:)|:(?<=\bcatch ?\(\w+:) ?(?:any|unknown)(?=\))/g,
  reuses: true,
  load: javascript,
};

const GRAMMARS: readonly Grammar[] = [
  { names: /^(typescript|[cm]?ts)$/, dialect: 'ts', ...TYPESCRIPT },
  { names: /^(typescriptreact|tsx)$/, dialect: 'ts jsx', ...TYPESCRIPT },
  { names: /^(javascript|javascriptreact|[cm]?jsx?)$/, dialect: 'jsx', load: javascript },
  // The grammar doesn't accept the parentheses in `with a as (b, c):`, and the line magics of notebooks.
  {
    names: /^(python|pyi?)$/,
    misread: /(?<= as )\([\w, ]+\)(?=:)|^[%!]\w(?!.*(?:"""|''')).*/gm,
    reuses: true,
    load: () => import('@lezer/python'),
  },
  { names: /^(markdown|md|[rq]md|rmarkdown|quarto)$/, ...FENCED, load: () => markdown([]) },
  { names: /^mdx$/, ...FENCED, load: () => markdown(NOT_IN_MDX) },
];

const loaded = new Map<Grammar, ProgramParser>();

function grammarFor(languageId: string, fileName: string): Grammar | undefined {
  const extension = /\.(\w+)$/.exec(fileName)?.[1] ?? '';
  const named = (name: string): Grammar | undefined => GRAMMARS.find(({ names }) => names.test(name.toLowerCase()));
  return named(languageId) ?? named(extension);
}

const isLR = (parser: Parser): parser is LRParser => 'getName' in parser;
/** Fewer nodes than by default form a buffer, because an edit discards the buffers that it touches. */
const NODES = 128;

function keep(grammar: Grammar, { parser }: { parser: Parser }): void {
  const { dialect, misread, reuses } = grammar;
  const own = isLR(parser) ? parser.configure({ dialect: dialect ?? '', bufferLength: NODES }) : parser;
  const masked = (text: string): string => text.replace(misread ?? /$^/, (word) => '_'.repeat(word.length));
  const parse: ProgramParser['parse'] = (text, fragments) => own.parse(masked(text), reuses ? fragments : undefined);
  loaded.set(grammar, misread ? { parse } : own);
}

/** Loads the grammar of a file, if there is one; `planInsertion` verifies its plans with it. */
export async function loadGrammar(languageId: string, fileName: string): Promise<void> {
  const grammar = grammarFor(languageId, fileName);
  if (grammar === undefined) return;
  if (!loaded.has(grammar)) keep(grammar, await grammar.load());
  for (const extension of grammar.inner ?? []) await loadGrammar('', `.${extension}`);
}

export function useParser(language: string, parser: Parser): void {
  const grammar = grammarFor(language, '');
  if (grammar !== undefined) keep(grammar, { parser });
}

/** Maximum number of characters to parse; parsing more would delay the edit. */
const LONGEST = 2_000_000;

/** @returns the parser of a file; undefined if there is no grammar, it is not loaded yet, or the file is too long */
export function loadedParser({ text, languageId, fileName }: SourceDocument): ProgramParser | undefined {
  const grammar = text.length > LONGEST ? undefined : grammarFor(languageId, fileName);
  return grammar && loaded.get(grammar);
}
