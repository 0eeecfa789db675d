import type { ComponentType } from 'preact';
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
    const Now = loaded ?? Meanwhile;
    return <Now {...props} />;
  };
}
