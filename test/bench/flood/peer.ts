/**
 * VS Code's own chat view as a peer: an extension whose participant forwards the same deltas, and the language model
 * that the chat view requires before it calls a participant.
 */
import { readingLines, type Peer } from '../support/peer.ts';

export const peerCommand = 'Bench: Ask the Peer';

const contributes = {
  commands: [{ command: 'benchPeer.ask', title: peerCommand }],
  languageModelChatProviders: [{ vendor: 'bench', displayName: 'Bench' }],
  chatParticipants: [{ id: 'bench.peer', name: 'peer', fullName: 'Peer', description: 'A peer.', isSticky: false }],
};

const model =
  `{ id: 'silent', name: 'Silent', family: 'bench', version: '1', maxInputTokens: 10_000, maxOutputTokens: 10_000, ` +
  `isDefault: true, isUserSelectable: true, capabilities: { toolCalling: true } }`;

const code = (address: string): string => `const vscode = require('vscode');
exports.activate = ({ subscriptions }) => {
  subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('bench', {
      provideLanguageModelChatInformation: () => [${model}],
      provideLanguageModelChatResponse: async (_model, _messages, _options, progress) =>
        progress.report(new vscode.LanguageModelTextPart('…')),
      provideTokenCount: async () => 1,
    }),
    vscode.chat.createChatParticipant('bench.peer', async (_request, _context, stream) => {
      ${readingLines(address, "{ messageId: 'peer', input: 'flood' }", "if (line.id === 'final' && line.isDelta) stream.markdown(line.content);")}
    }),
    vscode.commands.registerCommand('benchPeer.ask', async () => {
      // The chat takes up the model in its own time; till then it refuses.
      for (let tries = 0; tries < 50; tries += 1) {
        const chat = { query: '@peer flood', blockOnResponse: true };
        const answered = await vscode.commands.executeCommand('workbench.action.chat.open', chat);
        if (answered !== undefined && answered.errorDetails === undefined) return;
      }
    }),
  );
};
`;

/** @param address URL of the service whose deltas the peer forwards */
export const chatPeer = (address: string): Peer => ({
  name: 'peer',
  contributes,
  activationEvents: ['onStartupFinished'],
  code: code(address),
});
