import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * Creates a component from a lazy chunk.
 * @param load imports the component
 * @returns a component that loads its code when it is first rendered, and renders nothing until then
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return (props: Props) => {
    const [, setReady] = useState(loaded !== undefined);
    useEffect(() => {
      let gone = false;
      if (loaded === undefined)
        void load().then((component) => {
          loaded = component;
          if (!gone) setReady(true);
        });
      return () => {
        gone = true;
      };
    }, []);
    const Loaded = loaded;
    return Loaded === undefined ? null : <Loaded {...props} />;
  };
}
