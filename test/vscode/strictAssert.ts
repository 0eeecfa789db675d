// Replaces "node:assert/strict" in the web worker, which has no Node.
import assert from '../../node_modules/assert/build/assert.js';

export default assert.strict;
