/** @returns the function with its last result kept for each key, for as long as the key itself */
export function remembered<Key extends object, Of, Result>(
  compute: (key: Key, of: Of) => Result,
): (key: Key, of?: Of) => Result {
  const results = new WeakMap<Key, { of: Of | undefined; result: Result }>();
  return (key, of) => {
    let known = results.get(key);
    if (known === undefined || known.of !== of) results.set(key, (known = { of, result: compute(key, of as Of) }));
    return known.result;
  };
}
