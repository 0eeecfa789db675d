/** Markdown of the service, rendered while it streams. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { post } from '../app/host.ts';
import '../markdown/markdown.css';
import { createMarkdown, type MarkdownHandle } from '../markdown/createMarkdown.ts';

interface ProseProps {
  text: string;
  /** Whether the text is complete. */
  settled: boolean;
  quiet?: boolean;
  /** Key of the text for finding, written to `data-part`. */
  part: string;
}

export const Prose = ({ text, settled, quiet = false, part }: ProseProps) => {
  const container = useRef<HTMLDivElement>(null);
  const markdown = useRef<MarkdownHandle | undefined>(undefined);
  useLayoutEffect(() => {
    if (!container.current) return undefined;
    const created = createMarkdown(container.current, { onLink: (href) => post({ type: 'openLink', href }) });
    markdown.current = created;
    return () => created.dispose();
  }, []);
  useLayoutEffect(() => markdown.current?.update(text, settled), [text, settled]);
  // The inner element belongs to the Markdown renderer.
  return (
    <div class={`prose${quiet ? ' quiet-prose' : ''}${settled ? '' : ' growing'}`} data-part={part}>
      <div ref={container} />
    </div>
  );
};
