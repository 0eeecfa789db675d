/** What a parser finds in YAML, to compare a file before and after an insertion. */
import { Composer, isAlias, isDocument, isMap, isNode, isPair, isScalar, isSeq, type CST } from 'yaml';

export interface YamlContents {
  errors: number;
  documents: number;
  /** For each scalar its path and its text, with a null character between them. */
  values: string[];
  /** Lines of comments. */
  comments: string[];
  /** Whether a mapping has two keys `sql`. */
  hasTwoKeys: boolean;
}

function collect(node: unknown, path: string, into: YamlContents): void {
  if (isPair(node)) {
    const key = isScalar(node.key) ? String(node.key.value) : JSON.stringify(node.key);
    addComments(node.key, into);
    if (node.value === null) into.values.push(`${path}/${key}\0`);
    else collect(node.value, `${path}/${key}`, into);
    return;
  }
  addComments(node, into);
  if (isMap(node) || isSeq(node)) {
    if (node.items.length === 0) into.values.push(`${path}\0`);
    for (const item of node.items) collect(item, isSeq(node) ? `${path}/-` : path, into);
    const isSql = (item: unknown): boolean => isPair(item) && isScalar(item.key) && item.key.value === 'sql';
    into.hasTwoKeys ||= node.items.filter(isSql).length > 1;
  } else if (isAlias(node)) into.values.push(`${path}\0*${node.source}`);
  else if (isScalar(node)) {
    const properties = `${node.anchor ?? ''} ${node.tag ?? ''}`;
    into.values.push(`${path} ${properties}\0${String(node.value ?? '')}`);
  }
}

function addComments(node: unknown, into: YamlContents): void {
  const { commentBefore, comment } = isNode(node) || isDocument(node) ? node : {};
  for (const text of [commentBefore, comment])
    if (text)
      into.comments.push(
        ...text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
      );
}

export function contentsOf(stream: Iterable<CST.Token>): YamlContents {
  const contents: YamlContents = { errors: 0, documents: 0, values: [], comments: [], hasTwoKeys: false };
  for (const document of new Composer({ uniqueKeys: false, schema: 'failsafe', logLevel: 'silent' }).compose(stream)) {
    contents.documents += document.contents === null ? 0 : 1;
    contents.errors += document.errors.length;
    addComments(document, contents);
    collect(document.contents, '', contents);
  }
  return contents;
}
