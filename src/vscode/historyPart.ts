/** What keeps and finds threads: a part of its own, loaded when there is a thread to open or to keep. */
export { browserFiles } from '../chat/history/browserFiles.ts';
export { History } from '../chat/history/history.ts';
export { nodeFiles } from '../chat/history/nodeFiles.ts';
