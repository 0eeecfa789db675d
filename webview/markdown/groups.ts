/** Finished blocks in groups: the browser skips whole groups that are out of sight. */
export interface Groups {
  append(block: Element): void;
  clear(): void;
}

const blocksPerGroup = 16;

/**
 * @param container gets the groups, in order
 * @param before the element in `container` that stays last
 */
export function newGroups(container: HTMLElement, before: () => Element | null): Groups {
  let group: HTMLElement | undefined;
  return {
    append(block) {
      if (group === undefined || group.childElementCount >= blocksPerGroup) {
        group?.classList.add('md-finished');
        group = document.createElement('div');
        group.className = 'md-group';
        container.insertBefore(group, before());
      }
      group.append(block);
    },
    clear() {
      group = undefined;
      container.replaceChildren();
    },
  };
}
