/** A table that scrolls in both directions, also with the keyboard. */
import type { ComponentChildren } from 'preact';
import './scrollTable.css';

interface ScrollTableProps {
  /** Accessible name of the table and of the region around it. */
  label: string;
  /** A class that is added to `results`. */
  class?: string;
  /** Number of columns that the class gives a fixed width. */
  columns?: number;
  children: ComponentChildren;
}

export const ScrollTable = ({ label, class: extra = '', columns, children }: ScrollTableProps) => (
  <div class="results-scroll" tabIndex={0} role="region" aria-label={label}>
    <table class={`results ${extra}`.trim()} style={{ '--columns': columns }} aria-label={label}>
      {children}
    </table>
  </div>
);
