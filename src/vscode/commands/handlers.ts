/** All commands by id, matching `contributes.commands` in the manifest. */
import {
  certify,
  correct,
  acceptAsExpected,
  addAsTest,
  checkMyChange,
  compareWithMain,
  copyCiWorkflow,
  openTestChat,
} from '../evals/questionTests.ts';
import { compareAnswers } from '../runs/compareAnswers.ts';
import { askAsEveryone } from '../runs/askAsEveryone.ts';
import { openResults } from '../results/resultsTab.ts';
import { compareBranches } from '../runs/compareBranches.ts';
import { connect, setApiKeyOf, signOut, testConnection } from '../connection/connect.ts';
import { switchConnection } from '../connection/switchConnection.ts';
import { copyAsCurl, copyDiagnostics } from '../conversation/support.ts';
import {
  clearHistory,
  exportChat,
  importChat,
  openThread,
  showHistory,
  abort,
  ask,
  askAboutFile,
  askAboutSelection,
  find,
  help,
  newChat,
  open,
  openInEditor,
} from '../conversation/chatCommands.ts';
import { openRecording, openSample, recordChat, saveRecording } from '../threads/recording.ts';
import { applyInsertion } from '../insert/diffPreview.ts';
import { copySql, diffSql, insertSql, openSql, replaceWithSql, pickSql } from '../insert/sql.ts';
import { switchBranch, switchIdentity } from '../connection/switchContext.ts';
import type { Services } from '../services.ts';

export const commands = {
  'analyticsChat.connect': connect,
  'analyticsChat.setApiKey': setApiKeyOf,
  'analyticsChat.switchConnection': switchConnection,
  'analyticsChat.testConnection': testConnection,
  'analyticsChat.signOut': signOut,
  'analyticsChat.open': open,
  'analyticsChat.openInEditor': openInEditor,
  'analyticsChat.newChat': newChat,
  'analyticsChat.ask': ask,
  'analyticsChat.askAboutSelection': askAboutSelection,
  'analyticsChat.askAboutFile': askAboutFile,
  'analyticsChat.abort': abort,
  'analyticsChat.insertSql': insertSql,
  'analyticsChat.replaceWithSql': replaceWithSql,
  'analyticsChat.diffSql': diffSql,
  'analyticsChat.applyInsertion': applyInsertion,
  'analyticsChat.pickSql': pickSql,
  'analyticsChat.copySql': copySql,
  'analyticsChat.openSql': openSql,
  'analyticsChat.switchBranch': switchBranch,
  'analyticsChat.switchIdentity': switchIdentity,
  'analyticsChat.compareBranches': compareBranches,
  'analyticsChat.askAsEveryone': askAsEveryone,
  'analyticsChat.compareAnswers': compareAnswers,
  'analyticsChat.checkMyChange': checkMyChange,
  'analyticsChat.addAsTest': addAsTest,
  'analyticsChat.certify': certify,
  'analyticsChat.correct': correct,
  'analyticsChat.openTestChat': openTestChat,
  'analyticsChat.acceptAsExpected': acceptAsExpected,
  'analyticsChat.compareWithMain': compareWithMain,
  'analyticsChat.copyCiWorkflow': copyCiWorkflow,
  'analyticsChat.openThread': openThread,
  'analyticsChat.openResults': openResults,
  'analyticsChat.find': find,
  'analyticsChat.history': showHistory,
  'analyticsChat.showHistory': showHistory,
  'analyticsChat.exportChat': exportChat,
  'analyticsChat.importChat': importChat,
  'analyticsChat.clearHistory': clearHistory,
  'analyticsChat.copyDiagnostics': copyDiagnostics,
  'analyticsChat.copyAsCurl': copyAsCurl,
  'analyticsChat.help': help,
  'analyticsChat.openSample': openSample,
  'analyticsChat.recordChat': recordChat,
  'analyticsChat.saveRecording': saveRecording,
  'analyticsChat.openRecording': openRecording,
  'analyticsChat.showLog': ({ log }: Services<'log'>) => log.show(),
};
