/** @returns the function with its last result kept for each key, for as long as the key itself */
export function remembered<Key extends object, Of extends [unknown?], Result>(
  compute: (key: Key, ...of: Of) => Result,
): (key: Key, ...of: Of) => Result {
  const results = new WeakMap<Key, { of: unknown; result: Result }>();
  return (key, ...of) => {
    let known = results.get(key);
    if (known === undefined || known.of !== of[0])
      results.set(key, (known = { of: of[0], result: compute(key, ...of) }));
    return known.result;
  };
}
