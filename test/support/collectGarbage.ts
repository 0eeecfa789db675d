import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// The tests run without this flag, but `gc` is defined in contexts created after it is set.
setFlagsFromString('--expose-gc');

/** Runs a full garbage collection. */
export const collectGarbage = runInNewContext('gc') as () => void;
