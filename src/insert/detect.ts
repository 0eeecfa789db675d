/** Detects the position of the cursor in any kind of file. */
import { scriptAround } from './markup/components.ts';
import { hasJinja } from './sql/jinja.ts';
import { loadedParser } from './code/grammars.ts';
import { jsPoint, type JsPoint } from './code/jsPoint.ts';
import { parse } from './code/verifyCode.ts';
import type { Token } from './sql/lex.ts';
import type { Language } from './literals/languages.ts';
import { markdownPlace, type MarkdownPlace } from './markup/markdownPlace.ts';
import { codeLineOf, literalInTree } from './code/treeLiteral.ts';
import type { PythonPlace } from './code/writePython.ts';
import { sqlReader } from './sql/sqlAround.ts';
import type { InsertTarget, SourceDocument, Span } from './types.ts';
import { LONGEST } from './verify.ts';
import { findAround } from './literals/readLiteral.ts';
import { languageNamed } from './literals/writeLiteral.ts';
import { isYamlModel } from './yaml/yamlModel.ts';
import { insertionPoint, type YamlPoint } from './yaml/yamlPoint.ts';
import { yamlReader, type YamlReading } from './yaml/yamlReader.ts';
import { yamlStep } from './yaml/yamlText.ts';

/**
 * The target, with the context that its writer needs; `script` is the text to write into if the file contains several.
 */
export type Place = { target: InsertTarget } & (
  | { language: 'yaml'; yaml: YamlPoint; reading: YamlReading; step: number | undefined }
  | { language: 'js'; js: JsPoint | undefined; script?: string }
  | ({ language: 'python' } & PythonPlace)
  | { language: 'sql' | 'dbt'; token: Token | undefined }
  | { language: 'markdown'; markdown: MarkdownPlace | undefined }
  | { language: 'json' }
  | { language: 'other'; literals: Language | undefined }
);

type LanguageName = Place['language'];

/** Language ids and file names. */
const LANGUAGE_NAMES: readonly (readonly [LanguageName, id: RegExp, fileName: RegExp])[] = [
  ['yaml', /^(yaml|jinja-?yaml|yaml-?jinja|dockercompose)$/, /\.ya?ml(\.jinja2?|\.j2)?$/i],
  ['js', /^(java|type)script(react)?$/, /\.[cm]?[jt]sx?$/i],
  ['dbt', /^(jinja-?sql|sql-?jinja|dbt)$/, /(?!)/],
  ['sql', /sql$/, /\.(sql|pgsql|psql|ddl)(\.jinja2?|\.j2)?$/i],
  ['python', /^python$/, /\.pyi?$/i],
  ['markdown', /^(markdown|mdx|rmd|quarto)$/, /\.(md|markdown|mdx|[rq]md)$/i],
  ['json', /^json/, /\.(json[cl5]?|ipynb)$/i],
];

const DBT_FOLDER = /(^|[\\/])(models|macros|snapshots|analys[ei]s|dbt_packages)[\\/]/i;
/** A cell that is SQL from its second line on; with a line magic (one percent sign), only that line is. */
const CELL_MAGIC = /^\s*(?:%%(?:[\w.]*sql|bigquery)\b|%sql[ \t]*(?:[\r\n]|$))/i;

/** A cell in another language, named by its magic. */
const OTHER_MAGIC = /^\s*%%(bash|sh|script|html|javascript|js|markdown|perl|ruby|R|writefile)\b/;

function languageOf({ text, languageId, fileName, isNotebookCell, isDbt }: SourceDocument): LanguageName {
  const byId = LANGUAGE_NAMES.find(([, id]) => id.test(languageId.toLowerCase()))?.[0];
  const byName = isNotebookCell ? undefined : LANGUAGE_NAMES.find(([, , name]) => name.test(fileName))?.[0];
  const language = byId ?? byName ?? 'other';
  if (language === 'python' && isNotebookCell && CELL_MAGIC.test(text)) return 'sql';
  if (language === 'python' && isNotebookCell && OTHER_MAGIC.test(text)) return 'other';
  if (language !== 'sql') return language;
  const isFile = !isNotebookCell && byName === 'sql';
  return hasJinja(text) || (isFile && (isDbt === true || DBT_FOLDER.test(fileName))) ? 'dbt' : 'sql';
}

const isJsModel = (text: string): boolean => /(^|[^\w$.])(cube|view)\s*\(\s*[`'"]/.test(text);
const isSqlKey = (key: string | undefined): boolean => key !== undefined && /^sql(_?table)?$/i.test(key);

function containerOf({ fileName, isNotebookCell }: SourceDocument): InsertTarget['container'] {
  if (isNotebookCell) return 'notebookCell';
  return /(^|[\\/])untitled[-:]?\d*$/i.test(fileName) || fileName.startsWith('untitled:') ? 'untitled' : 'file';
}

function dbtKind({ text, fileName }: SourceDocument, offset: number): 'dbtMacro' | 'dbtModel' {
  const opened = [...text.slice(0, offset).matchAll(/\{%-?\s*(end)?macro\b/g)].at(-1);
  const isInMacro = opened !== undefined && opened[1] === undefined;
  return isInMacro || /(^|[\\/])macros[\\/]/i.test(fileName) ? 'dbtMacro' : 'dbtModel';
}

/** The position in a program; `undefined` if it is too long to parse. Its grammar must have been loaded. */
function jsPlace(
  { languageId, fileName, isNotebookCell }: SourceDocument,
  program: string,
  selection: Span,
  make: (kind: InsertTarget['kind'], key?: string) => InsertTarget,
): Place & { language: 'js' } {
  const parser = loadedParser(languageId, isNotebookCell ? '' : fileName);
  if (parser === undefined || program.length > LONGEST)
    return { language: 'js', js: undefined, target: make('jsCode') };
  const js = jsPoint(parse(parser, program), program, selection);
  const isMember = js.kind === 'jsCode' && !js.node.type.isTop;
  return { language: 'js', js, target: make(js.kind, js.key ?? (isMember ? 'sql' : undefined)) };
}

/**
 * Reads the document once, for any number of cursors.
 * @returns a function that finds the target and its context at a selection
 */
export function placeFinder(document: SourceDocument): (selection: Span) => Place {
  const { text } = document;
  const container = containerOf(document);
  const make = (kind: InsertTarget['kind'], isDataModel = false, key?: string): InsertTarget => ({
    kind,
    container,
    isDataModel,
    ...(key === undefined ? {} : { key }),
    isWarehouseSql: kind.startsWith('dbt') || (isDataModel && isSqlKey(key)),
  });
  const language = languageOf(document);
  switch (language) {
    case 'yaml': {
      const step = yamlStep(text);
      const isModel = isYamlModel(document);
      const read = yamlReader(text, isModel);
      return (selection) => {
        const reading = read(selection);
        const yaml = insertionPoint(reading, selection.start);
        return { language, yaml, reading, step, target: make(yaml.kind, isModel, yaml.key) };
      };
    }
    case 'js': {
      const isModel = isJsModel(text);
      return (selection) => jsPlace(document, text, selection, (kind, key) => make(kind, isModel, key));
    }
    case 'python': {
      const parser = text.length > LONGEST ? undefined : loadedParser('python', '');
      const tree = parser && parse(parser, text);
      return ({ start: offset }) => {
        const found = tree && literalInTree(tree, text, offset, true);
        const codeLine = tree === undefined ? 0 : codeLineOf(tree, text, offset, true);
        const isCode = found === undefined || found === 'interpolation';
        const kind = isCode ? 'pythonCode' : found.form.isComment ? 'pythonComment' : 'pythonString';
        return { language, found, codeLine, target: make(kind) };
      };
    }
    case 'dbt':
    case 'sql': {
      const tokenAt = sqlReader(text);
      return ({ start: offset }) => {
        const kind = language === 'sql' ? language : dbtKind(document, offset);
        return { language, token: tokenAt(offset), target: make(kind) };
      };
    }
    case 'markdown': {
      const isMdx = /mdx/i.test(document.languageId) || /\.mdx$/i.test(document.fileName);
      const parser = loadedParser('markdown', '');
      const tree = parser && text.length <= LONGEST ? parse(parser, text) : undefined;
      return ({ start: offset }) => {
        const markdown = tree && markdownPlace(tree, text, offset, isMdx);
        return { language, markdown, target: make(language) };
      };
    }
    case 'json':
      return () => ({ language, target: make('other') });
    case 'other': {
      const magic = document.isNotebookCell ? OTHER_MAGIC.exec(text)?.[1] : undefined;
      const literals = languageNamed(magic ?? document.languageId, document.isNotebookCell ? '' : document.fileName);
      return (selection) => {
        const offset = selection.start;
        const script = literals?.hasScripts ? scriptAround(text, offset) : undefined;
        if (script !== undefined)
          return { ...jsPlace(document, script, selection, (kind, key) => make(kind, false, key)), script };
        const isWarehouseSql = (literals && findAround(text, literals, offset))?.form.isWarehouseSql ?? false;
        return { language, literals, target: { ...make('other'), isWarehouseSql } };
      };
    }
  }
}

/**
 * @param document the file, editor or cell
 * @param offset the cursor, in UTF-16 units from the start of the text
 * @returns the target at the cursor; never throws
 */
export const detectTarget = (document: SourceDocument, offset: number): InsertTarget =>
  placeFinder(document)({ start: offset, end: offset }).target;
