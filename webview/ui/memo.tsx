import { Component, type ComponentType } from 'preact';

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
