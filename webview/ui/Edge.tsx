/** Detects that the reader scrolls near an end of the rendered part of a log. */
import { useEffect, useRef } from 'preact/hooks';

interface EdgeProps {
  log: { current: HTMLElement | null };
  /**
   * Called when the edge comes into the log's view or near it. Change the `key` to be called again while it stays
   * there.
   */
  onReach: () => void;
}

export const Edge = ({ log, onReach }: EdgeProps) => {
  const edge = useRef<HTMLDivElement>(null);
  const reach = useRef(onReach);
  reach.current = onReach;
  useEffect(() => {
    if (!edge.current) return undefined;
    // The browser may report several changes in one call: the last one is the current state.
    const onChange = (changes: IntersectionObserverEntry[]): void => {
      if (changes.at(-1)?.isIntersecting) reach.current();
    };
    const observer = new IntersectionObserver(onChange, { root: log.current, rootMargin: '600px 0px' });
    observer.observe(edge.current);
    return () => observer.disconnect();
  }, [log]);
  return <div class="edge" ref={edge} />;
};
