/** Entry point of the page that compares the answers of a set of questions on two branches. */
import { render } from 'preact';
import { keepFocus } from '../ui/keepFocus.ts';
import { Answers } from './Answers.tsx';
import { postAnswers, start } from './answersState.ts';
import '@vscode/codicons/dist/codicon.css';
import '../ui/base.css';
import './answers.css';

window.addEventListener('error', ({ message }) => postAnswers({ type: 'problem', text: message }));
window.addEventListener('unhandledrejection', ({ reason }) => postAnswers({ type: 'problem', text: String(reason) }));

const root = document.getElementById('root');
if (root) {
  keepFocus(root);
  start((state) => render(<Answers state={state} />, root));
}
