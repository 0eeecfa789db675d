/** Records the sample conversation that the extension ships: node test/sandbox/record.ts */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChatClient } from '../../src/api/client.ts';
import { ChatSession } from '../../src/chat/session/chatSession.ts';
import { RecordingWriter } from '../../src/chat/recording/write.ts';
import { emptyThread, type QuestionContext } from '../../src/shared/thread/model.ts';
import type { StreamLine } from '../../src/shared/wire/streamLines.ts';
import { startSandbox } from './server.ts';

const main: QuestionContext = { branch: 'main', isDefaultBranch: true, identity: 'ana' };
const branch: QuestionContext = { branch: 'dev-net-revenue', isDefaultBranch: false, identity: 'ana' };
/** The last entry repeats the first question on a branch, so that the two answers can be compared. */
const questions: [text: string, context: QuestionContext][] = [
  ['revenue by month in 2024', main],
  ['top 10 products by revenue in 2024', main],
  ['revenue by month in 2024', branch],
];

const sandbox = await startSandbox();
const texts = new WeakMap<StreamLine, string>();
const client = new ChatClient({
  chatApiUrl: sandbox.chatApiUrl,
  credential: { kind: 'apiKey', value: sandbox.apiKey },
  onLine: (line, text) => texts.set(line, text),
});
// The first answer waits for the database, so request it before the recording.
const first = { input: 'number of orders', sessionSettings: { externalId: 'ana' } };
for await (const line of client.stream(first)) if (line.kind === 'state') break;

const thread = emptyThread('sample');
const writer = new RecordingWriter(thread, Date.now(), (line) => texts.get(line));
let context = main;
const session = new ChatSession({
  thread,
  connect: () => Promise.resolve({ client, sessionSettings: { externalId: 'ana' }, context, stallTimeout: 60_000 }),
  onEvents: (events) => writer.add(events, Date.now()),
  onUnsent: () => undefined,
  onFailure: (error) => {
    throw error;
  },
});
for (const [text, asked] of questions) {
  context = asked;
  await session.send({ text, images: [] });
}
writeFileSync(join(import.meta.dirname, '..', '..', 'media', 'sample.ndjson'), writer.text);
await sandbox.stop();
