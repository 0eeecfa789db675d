import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// The tests run without this flag; a context that is made after it has been set knows the function.
setFlagsFromString('--expose-gc');

/** Leaves in memory only what something still holds. */
export const collectGarbage = runInNewContext('gc') as () => void;
