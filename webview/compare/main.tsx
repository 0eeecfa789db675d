/** Entry point of the comparison page. */
import { render } from 'preact';
import { post } from '../app/host.ts';
import { keepFocus } from '../ui/keepFocus.ts';
import { Comparison } from './Comparison.tsx';
import { start } from './comparisonState.ts';
import '@vscode/codicons/dist/codicon.css';
import '../ui/base.css';
import './compare.css';

window.addEventListener('error', ({ message }) => post({ type: 'problem', text: message }));
window.addEventListener('unhandledrejection', ({ reason }) => post({ type: 'problem', text: String(reason) }));

const root = document.getElementById('root');
if (root) {
  keepFocus(root);
  start((state) => render(<Comparison state={state} />, root));
}
