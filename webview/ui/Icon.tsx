/** Icons of VS Code. */

/** Icons that show progress. */
const SPINNING: ReadonlySet<string> = new Set(['loading', 'sync']);

/** A codicon, hidden from screen readers; adjacent text or a label must say what it means. */
export const Icon = ({ icon, class: extra = '' }: { icon: string; class?: string }) => {
  const spin = SPINNING.has(icon) ? 'codicon-modifier-spin' : '';
  return <span class={['codicon', `codicon-${icon}`, spin, extra].filter(Boolean).join(' ')} aria-hidden="true" />;
};
