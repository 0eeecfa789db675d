/** Registers the chat participant and the language model tools. Their handlers are loaded when they are first called. */
import * as vscode from 'vscode';

/** The tools by their names in the manifest. */
const TOOLS = ['ask_analytics_agent', 'search_data_model', 'run_question_tests', 'check_model_change'] as const;

export type ToolName = (typeof TOOLS)[number];

export interface NativeHandlers {
  answer: vscode.ChatRequestHandler;
  followUps(result: vscode.ChatResult): vscode.ChatFollowup[];
  tool(name: ToolName): Promise<vscode.LanguageModelTool<unknown>>;
  /** Logs that an API is missing. */
  noteMissing(failure: unknown): void;
}

type Load = () => Promise<NativeHandlers>;

const PARTICIPANT_ID = 'analytics-chat.analytics';

/** Registers what this editor supports; some editors based on VS Code lack the chat or tool APIs. */
export function offerNatively(extension: vscode.Uri, load: Load): vscode.Disposable {
  const offers = [() => offerParticipant(extension, load), () => offerTools(load)].flatMap((offer) => {
    try {
      return [offer()];
    } catch (failure) {
      void load().then((handlers) => handlers.noteMissing(failure));
      return [];
    }
  });
  return vscode.Disposable.from(...offers);
}

function offerParticipant(extension: vscode.Uri, load: Load): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(PARTICIPANT_ID, async (...request) =>
    (await load()).answer(...request),
  );
  participant.iconPath = vscode.Uri.joinPath(extension, 'media', 'icon.png');
  participant.followupProvider = {
    provideFollowups: async (result) => (await load()).followUps(result),
  };
  return participant;
}

function offerTools(load: Load): vscode.Disposable {
  return vscode.Disposable.from(
    ...TOOLS.map((name) =>
      vscode.lm.registerTool(name, {
        prepareInvocation: async (...call) => (await (await load()).tool(name)).prepareInvocation?.(...call),
        invoke: async (...call) => (await (await load()).tool(name)).invoke(...call),
      }),
    ),
  );
}
