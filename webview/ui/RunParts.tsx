/** The parts that the pages of a run of questions share: the button and the progress, and the messages to the host. */
import type { FromRunPage } from '../../src/shared/protocol/runPage.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { postRaw } from '../app/host.ts';
import { Button } from './Button.tsx';

export const postToRun = (message: FromRunPage): void => postRaw(message);

/** Cancels the run, or starts it again. */
export const RunButton = ({ isRunning }: { isRunning: boolean }) => (
  <Button key={isRunning ? 'cancel' : 'again'} onClick={() => postToRun({ type: isRunning ? 'cancel' : 'askAgain' })}>
    {isRunning ? t('Cancel') : t('Ask again')}
  </Button>
);

interface RunProgressProps {
  /** Accessible name of the progress bar. */
  label: string;
  done: number;
  total: number;
  text: string;
}

export const RunProgress = ({ label, done, total, text }: RunProgressProps) => (
  <div class="answers-progress">
    <progress aria-label={label} value={done} max={total} />
    <span>{text}</span>
  </div>
);
