/** An end of what is drawn of the log, beyond which there is more. */
import { useEffect, useRef } from 'preact/hooks';

interface EdgeProps {
  log: { current: HTMLElement | null };
  /** Called when the reader comes near; to be called again, the edge has to be a new one. */
  onReach: () => void;
}

export const Edge = ({ log, onReach }: EdgeProps) => {
  const edge = useRef<HTMLDivElement>(null);
  const reach = useRef(onReach);
  reach.current = onReach;
  useEffect(() => {
    if (!edge.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && reach.current(), {
      root: log.current,
      rootMargin: '600px 0px',
    });
    observer.observe(edge.current);
    return () => observer.disconnect();
  }, [log]);
  return <div class="edge" ref={edge} />;
};
