/** Which files may belong to the data model, by their paths. */

const FOLDERS = /(?:^|\/)(?:models?|schema|cubes|views)\//;
const FILES = /\.(?:ya?ml|jinja2?|j2|[cm]?js|ts)$/i;
const CONFIG = /(?:^|\/)cube\.(?:js|ts|py)$/;

/** Names of folders that are not searched. */
export const NOT_SEARCHED: ReadonlySet<string> = new Set(['node_modules', '.git', 'dbt_packages', 'target']);

/** Whether a file is in a usual folder of data models and of a kind that can define members, or configures the model. */
export const isModelPath = (path: string): boolean => (FOLDERS.test(path) && FILES.test(path)) || isConfigPath(path);

/** Whether a file configures where the data model comes from. */
export const isConfigPath = (path: string): boolean => CONFIG.test(path);
