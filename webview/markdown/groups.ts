/** Finished blocks in groups, and these in sections: the browser skips what is out of sight as a whole. */
interface Groups {
  append(block: Element): void;
  clear(): void;
}

const blocksPerGroup = 16;
const groupsPerSection = 16;

/**
 * @param container gets the sections, in order
 * @param before the element in `container` that stays last
 */
export function newGroups(container: HTMLElement, before: () => Element | null): Groups {
  let section: HTMLElement | undefined;
  let group: HTMLElement | undefined;

  function newSection(): HTMLElement {
    if (section !== undefined) finish(section);
    const made = newElement('md-section');
    container.insertBefore(made, before());
    return made;
  }

  return {
    append(block) {
      if (group === undefined || group.childElementCount >= blocksPerGroup) {
        group?.classList.add('md-finished');
        if (section === undefined || section.childElementCount >= groupsPerSection) section = newSection();
        group = newElement('md-group');
        section.append(group);
      }
      group.append(block);
    },
    clear() {
      section = undefined;
      group = undefined;
      container.replaceChildren();
    },
  };
}

function newElement(name: string): HTMLElement {
  const element = document.createElement('div');
  element.className = name;
  return element;
}

/** From now on the section is skipped as one; it keeps its height, so that nothing moves. */
function finish(section: HTMLElement): void {
  section.style.containIntrinsicBlockSize = `auto ${section.offsetHeight}px`;
  for (const group of section.children) group.classList.remove('md-finished');
  section.classList.add('md-finished');
}
