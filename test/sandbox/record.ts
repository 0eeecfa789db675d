/** Records the sample conversation that the extension ships: node test/sandbox/record.ts > media/sample.ndjson */
import { startSandbox } from './server.ts';

const sandbox = await startSandbox({ pace: 0 });
const now = Date.now();
const questions = ['revenue by month in 2024', 'top 10 products by revenue in 2024'];
let chatId: string | undefined;
for (const [index, input] of questions.entries()) {
  const response = await fetch(sandbox.chatApiUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Api-Key ${sandbox.apiKey}` },
    body: JSON.stringify({
      input,
      chatId,
      messageId: `${now + index}-message`,
      sessionSettings: { externalId: 'dev' },
    }),
  });
  for (const line of (await response.text()).split('\n').filter((each) => each !== '')) {
    const { id, state, sort } = JSON.parse(line) as { id?: string; state?: { chatId?: string }; sort?: number };
    chatId ??= state?.chatId;
    // The thread's whole state is opaque and only makes the recording long.
    if (id === '__state__' || id === '__usage__') continue;
    // One stream for the whole conversation: numbers go on rising.
    console.log(sort === undefined ? line : JSON.stringify({ ...JSON.parse(line), sort: sort + index * 100_000 }));
  }
}
await sandbox.stop();
