import { Component, type ComponentType } from 'preact';

/**
 * As React's `memo`, which Preact has only together with the rest of React's ways.
 * @returns a component that is drawn anew only when one of its properties is another one
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
