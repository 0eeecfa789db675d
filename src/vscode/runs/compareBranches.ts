/** The *Compare Branches…* command: asks one question on two branches or as two identities. */
import { lastQuestion } from '../../chat/session/message.ts';
import { fieldsOf, isFields } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { homeOf } from '../../chat/connection/connectionList.ts';
import type { QuestionContext } from '../../shared/thread/model.ts';
import { askContext, type AskContext } from './askContext.ts';
import { openComparison, compareRecorded } from './open.ts';
import type { RunTabServices } from './runTab.ts';
import type { Command } from '../host/command.ts';
import { askForQuestion } from '../host/notify.ts';
import { showQuickPick } from '../host/quickPick.ts';
import { pickBranches, pickIdentity } from '../connection/switchContext.ts';
import type { Services } from '../services.ts';

type SideArgument = Partial<Pick<QuestionContext, 'branch' | 'identity'>>;
interface CompareArgument {
  question?: string;
  left?: SideArgument;
  right?: SideArgument;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Parses one side of the argument: the name of a branch, or `{branch?, identity?}`. */
function readSide(value: unknown): SideArgument | undefined {
  const fields = isFields(value) ? value : { branch: value };
  const branch = text(fields.branch);
  const identity = text(fields.identity);
  return branch === undefined && identity === undefined ? undefined : { branch, identity };
}

function readArgument(argument: unknown): CompareArgument {
  const { question, left, right } = fieldsOf(argument);
  return { question: text(question), left: readSide(left), right: readSide(right) };
}

async function askForBranches(services: Services<'branches'>): Promise<SideArgument[] | undefined> {
  const branches = await pickBranches(services, t('Analytics Chat: Compare Branches'));
  return branches && [{ branch: branches.left }, { branch: branches.right }];
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
  if (choice === branches) return askForBranches(services);
  return choice === identities ? askForIdentities(services) : undefined;
}

/**
 * Fills in the current branch and identity where a side omits them.
 * @throws Error if there is no such identity
 */
function contextFor(
  { branches, connections, identities }: Services<'branches' | 'connections' | 'identities'>,
  { branch, identity = identities.current }: SideArgument,
): AskContext {
  if (!identities.names().includes(identity)) throw new Error(t('There is no identity named “{0}”.', identity));
  const { name, isDefault } = branches.current;
  const sent = branch === undefined ? { branch: name, isDefaultBranch: isDefault } : branches.contextOn(branch);
  const home = connections.current && homeOf(connections.current);
  return askContext({ ...sent, identity }, home, branches.main);
}

/** @param argument `{question?, left?, right?}`; for a side see `readSide`. The user enters whatever is missing. */
export const compareBranches: Command<RunTabServices> = async (services, argument) => {
  const given = readArgument(argument);
  const { active } = services.sessions;
  if (
    given.question === undefined &&
    services.repository.isReadOnly(active.thread.id) &&
    compareRecorded(services, active)
  )
    return;
  const question =
    given.question ??
    text(
      await askForQuestion(
        t('Analytics Chat: Compare'),
        t('Enter the question to ask on both sides'),
        lastQuestion(active.thread)?.content,
      ),
    );
  if (question === undefined) return;
  const { left, right } = given;
  const sides = left && right ? [left, right] : await askForSides(services);
  if (sides === undefined) return;
  const contexts = sides.map((side) => contextFor(services, side));
  openComparison(services, question, contexts);
};
