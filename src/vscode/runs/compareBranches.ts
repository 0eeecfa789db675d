/** The *Compare Branches…* command: asks one question on two branches or as two identities. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { fieldsOf, isFields, textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { emptyThread, type QuestionContext } from '../../shared/thread/model.ts';
import { askedTwice } from '../../shared/thread/turns.ts';
import { askContext, contextsIn } from './askContext.ts';
import { questionOf } from './runSpec.ts';
import { openSides, type RunTabServices } from './runTab.ts';
import { sidesOf } from './sides.ts';
import type { Command } from '../host/command.ts';
import { showQuickPick } from '../host/quickPick.ts';
import { pickBranches, pickIdentity } from '../connection/switchContext.ts';
import type { Services } from '../services.ts';

type SideArgument = Partial<Pick<QuestionContext, 'branch' | 'identity'>>;

/** Parses one side of the argument: the name of a branch, or `{branch?, identity?}`. */
function readSide(value: unknown): SideArgument | undefined {
  const fields = isFields(value) ? value : { branch: value };
  const [branch, identity] = ['branch', 'identity'].map((name) => textIn(fields, name)?.trim() || undefined);
  return branch === undefined && identity === undefined ? undefined : { branch, identity };
}

async function askForIdentities(services: Services<'identities' | 'connections'>): Promise<SideArgument[] | undefined> {
  const title = t('Analytics Chat: Compare Identities');
  const left = await pickIdentity(services, { title, placeHolder: t('Select the first identity to compare') });
  if (left === undefined) return undefined;
  const right = await pickIdentity(services, {
    title,
    placeHolder: t('Select the identity to compare “{0}” with', left),
    except: left,
  });
  return right === undefined ? undefined : [{ identity: left }, { identity: right }];
}

async function askForSides(
  services: Services<'branches' | 'identities' | 'connections'>,
): Promise<SideArgument[] | undefined> {
  const branches = {
    icon: 'git-branch',
    label: t('Two branches'),
    description: t('as {0}', services.identities.current),
  };
  const identities = { icon: 'account', label: t('Two identities'), description: t('on {0}', services.branches.label) };
  const choice = await showQuickPick([branches, identities], {
    title: t('Analytics Chat: Compare'),
    placeHolder: t('Select what to compare'),
  });
  if (choice === identities) return askForIdentities(services);
  const picked = choice && (await pickBranches(services, t('Analytics Chat: Compare Branches')));
  return picked && [{ branch: picked.left }, { branch: picked.right }];
}

/** Shows the answers to a question that a thread asked on two branches or as two identities. @returns whether it did */
function compareRecorded(services: RunTabServices, { thread }: ChatSession): boolean {
  const turns = askedTwice(thread);
  if (turns === undefined) return false;
  const asked = [turns.earlier, turns.later];
  const threads = asked.map(({ steps: _steps, answer: _answer, ...turn }) => {
    const id = crypto.randomUUID();
    // Their SQL may come from someone else.
    services.repository.markReadOnly(id);
    return { ...emptyThread(id), turns: [turn] };
  });
  const contexts = asked.map(({ question }) => askContext(question.context, undefined, services.branches.main));
  openSides(services, turns.later.question.content, sidesOf(services, contexts, threads));
  return true;
}

/**
 * @param argument `{question?, left?, right?}`; for a side see `readSide`. The current branch and identity are those of a
 * side that omits them; the user enters whatever else is missing.
 * @throws Error if there is no such identity
 */
export const compareBranches: Command<RunTabServices> = async (services, argument) => {
  const { identities, repository, sessions } = services;
  const { active } = sessions;
  const isRecorded = !textIn(argument, 'question')?.trim() && repository.isReadOnly(active.thread.id);
  if (isRecorded && compareRecorded(services, active)) return;
  const question = await questionOf(services, argument, {
    title: t('Analytics Chat: Compare'),
    prompt: t('Enter the question to ask on both sides'),
  });
  if (question === undefined) return;
  const [left, right] = ['left', 'right'].map((name) => readSide(fieldsOf(argument)[name]));
  const sides = left && right ? [left, right] : await askForSides(services);
  const contexts = sides?.map(({ branch, identity = identities.current }) => {
    if (!identities.names().includes(identity)) throw new Error(t('There is no identity named “{0}”.', identity));
    return contextsIn(services, undefined, branch)(identity);
  });
  if (contexts) openSides(services, question, sidesOf(services, contexts)).start();
};
