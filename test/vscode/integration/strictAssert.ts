// Replaces "node:assert/strict" in the web worker, which has no Node.
// @ts-expect-error the package has no types; test modules see those of node:assert
import assert from '../../../node_modules/assert/build/assert.js';

export default assert.strict;
