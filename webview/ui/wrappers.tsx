/** Component wrappers: one loads code when it is first rendered, the other skips renders if no prop has changed. */
import { Component, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * Creates a component from a lazy chunk.
 * @param load imports the component
 * @param Meanwhile rendered until the code is loaded; nothing by default
 * @returns a component that loads its code when it is first rendered
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile: ComponentType<Props> = () => null,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return (props: Props) => {
    const [Now, setNow] = useState(() => loaded ?? Meanwhile);
    useEffect(() => {
      let gone = false;
      // Also if another instance has loaded it since this one was rendered.
      void load().then((component) => {
        loaded = component;
        if (!gone) setNow(() => component);
      });
      return () => {
        gone = true;
      };
    }, []);
    return <Now {...props} />;
  };
}

/**
 * Equivalent of React's `memo`, which Preact provides only in `preact/compat`.
 * @returns a component that renders again only if a prop has changed (`!==`)
 */
export function memo<Props extends object>(View: ComponentType<Props>): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const { props } = this;
      const names = new Set([...Object.keys(props), ...Object.keys(next)]) as Set<keyof Props>;
      return [...names].some((name) => props[name] !== next[name]);
    }

    override render(props: Readonly<Props>) {
      return <View {...props} />;
    }
  };
}
