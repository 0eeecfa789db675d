/** Entry point of the page that asks one question as several identities. */
import { render } from 'preact';
import { keepFocus } from '../ui/keepFocus.ts';
import { Everyone } from './Everyone.tsx';
import { postEveryone, start } from './state.ts';
import '@vscode/codicons/dist/codicon.css';
import '../ui/base.css';
import '../compare/compare.css';
import '../evals/answers.css';
import './everyone.css';

window.addEventListener('error', ({ message }) => postEveryone({ type: 'problem', text: message }));
window.addEventListener('unhandledrejection', ({ reason }) => postEveryone({ type: 'problem', text: String(reason) }));

const root = document.getElementById('root');
if (root) {
  keepFocus(root);
  start((state) => render(<Everyone state={state} />, root));
}
