import { visit, type Document, type Node } from 'yaml';

/**
 * Takes linear time; `Alias.resolve` searches the whole document for each alias.
 * @returns the node that each alias of the document stands for
 */
export function aliasTargets(document: Document): ReadonlyMap<unknown, Node> {
  const anchored = new Map<string, Node>();
  const targets = new Map<unknown, Node>();
  visit(document, {
    Alias: (_key, alias) => {
      const target = anchored.get(alias.source);
      if (target) targets.set(alias, target);
    },
    Value: (_key, node) => {
      if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return targets;
}
