/** Chooses the reader of a file by its language. */
import { readJs } from './code/writeJs.ts';
import { readPython } from './code/writePython.ts';
import { languageNamed, readLiterals } from './literals/writeLiteral.ts';
import { readJson } from './markup/writeJson.ts';
import { readMarkdown } from './markup/writeMarkdown.ts';
import { unifiedText } from './indent.ts';
import type { Reader, Site } from './writing.ts';
import { hasJinja } from '../shared/text/jinja.ts';
import { withSqlCells } from './sql/magicCells.ts';
import { readDataform, readDbt, readSql, writeOther } from './sql/writeSql.ts';
import type { InsertTarget, SourceDocument } from './types.ts';
import { readYaml } from './yaml/writeYaml.ts';

const DBT_FOLDER = /(^|[\\/])(models|macros|snapshots|analys[ei]s|dbt_packages)[\\/]/i;
/** Matches a cell magic, after which the cell is SQL. A line magic, such as `%sql SELECT 1`, applies to its own line. */
const CELL_MAGIC = /^\s*(?:%%(?:[\w.]*sql|bigquery)\b|%sql[ \t]*(?:\n|$))/i;
/** Matches the magic of a cell in another language. */
const OTHER_MAGIC = /^\s*%%(?:bash|sh|script|html|javascript|js|markdown|perl|ruby|R|writefile)\b/;

const SQL_FILE = /\.(sql|pgsql|psql|ddl)(\.jinja2?|\.j2)?$/i;

/** Matches a model of SQLMesh, whose Jinja is marked by keywords of its own. */
const SQLMESH = /^(?:MODEL|AUDIT|METRIC)\s*\(/m;

function readSqlFile(document: SourceDocument): Reader {
  const { text, fileName, isNotebookCell, isDbt } = document;
  const isFile = !isNotebookCell && SQL_FILE.test(fileName);
  const isRendered =
    !SQLMESH.test(text) && (hasJinja(text) || (isFile && (isDbt === true || DBT_FOLDER.test(fileName))));
  return isRendered ? readDbt(document) : readSql(document);
}

function readOther(document: SourceDocument): Reader {
  const { languageId, fileName, isNotebookCell } = document;
  const language = languageNamed(languageId, isNotebookCell ? '' : fileName);
  return language ? readLiterals(document, language) : () => ({ write: writeOther });
}

function readPythonFile(document: SourceDocument): Reader {
  const { text, isNotebookCell } = document;
  if (isNotebookCell && CELL_MAGIC.test(text)) return readSql(document);
  return isNotebookCell && OTHER_MAGIC.test(text) ? () => ({ write: writeOther }) : readPython(document);
}

/** Matches LookML in its older form, and dashboards, which are YAML, by their first item. Descriptions contain lists too. */
const IN_YAML = /^(?:[ \t]*(?:#.*|---[ \t]*)?\n)*- \w+:/;

const readLookml = (document: SourceDocument): Reader =>
  IN_YAML.test(document.text) ? readYaml(document) : readOther(document);

/** Readers by patterns of language ids and of file names. */
const READERS: readonly (readonly [id: RegExp, fileName: RegExp, read: (document: SourceDocument) => Reader])[] = [
  [/^(yaml|jinja-?yaml|yaml-?jinja|dockercompose)$/, /\.ya?ml(\.jinja2?|\.j2)?$/i, readYaml],
  [/^(java|type)script(react)?$/, /\.[cm]?[jt]sx?$/i, readJs],
  [/^(jinja-?sql|sql-?jinja|dbt)$/, /(?!)/, readDbt],
  [/^sqlx$/, /\.sqlx$/i, readDataform],
  [/sql$/, SQL_FILE, readSqlFile],
  [/^python$/, /\.pyi?$/i, readPythonFile],
  [/^(markdown|mdx|rmd|quarto)$/, /\.(md|markdown|mdx|[rq]md)$/i, (document) => readMarkdown(document, readerOf)],
  [/^(lookml|lkml)$/, /\.(lookml|lkml)$/i, readLookml],
  [/^json/, /\.(json[cl5]?|ipynb)$/i, readJson],
];

/** Reads the document once, for any number of cursors. */
export function readerOf(document: SourceDocument): Reader {
  const { languageId, fileName, isNotebookCell } = document;
  const read =
    READERS.find(([id]) => id.test(languageId.toLowerCase())) ??
    (isNotebookCell ? undefined : READERS.find(([, name]) => name.test(fileName)));
  return withSqlCells(document, (read?.[2] ?? readOther)(document));
}

function containerOf({ fileName, isNotebookCell }: SourceDocument): InsertTarget['container'] {
  if (isNotebookCell) return 'notebookCell';
  return /(^|[\\/])untitled[-:]?\d*$/i.test(fileName) || fileName.startsWith('untitled:') ? 'untitled' : 'file';
}

export function targetOf(
  document: SourceDocument,
  { kind = 'other', key, isDataModel = false, isWarehouseSql }: Site,
): InsertTarget {
  return {
    kind,
    container: containerOf(document),
    isDataModel,
    ...(key ? { key } : {}),
    isWarehouseSql: isWarehouseSql ?? (isDataModel && /^sql(_?table)?$/i.test(key ?? '')),
  };
}

/** @returns the target at the cursor; never throws */
export function detectTarget(document: SourceDocument, offset: number): InsertTarget {
  const { text, toText } = unifiedText(document.text);
  const unified = { ...document, text };
  return targetOf(unified, readerOf(unified)(toText({ start: offset, end: offset })));
}
