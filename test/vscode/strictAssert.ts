// What "node:assert/strict" becomes where there is no Node.
// @ts-expect-error the package has no types; those of node:assert are what test modules see
import assert from '../../node_modules/assert/build/assert.js';

export default assert.strict;
