/**
 * Collects finished blocks into groups and groups into sections, which the browser skips as a whole while off-screen.
 */
interface Groups {
  append(block: Element): void;
  clear(): void;
}

const blocksPerGroup = 16;
const groupsPerSection = 16;

/**
 * @param container parent of the sections
 * @param before returns the element in `container` that must stay after the sections, if any
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

/** Moves `content-visibility` from the groups to their section; its measured height prevents a layout shift. */
function finish(section: HTMLElement): void {
  section.style.containIntrinsicBlockSize = `auto ${section.offsetHeight}px`;
  for (const group of section.children) group.classList.remove('md-finished');
  section.classList.add('md-finished');
}
