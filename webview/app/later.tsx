import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * @param load imports the component
 * @returns a component whose code is loaded when it is shown for the first time; until then it shows nothing
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
